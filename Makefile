# ssdpar: builds the extension (PGXS), ssdpar-probe and the daemon ssdpard.
#
#   make [PG_CONFIG=/path/to/pg_config]    build against that server, 15 to 18
#   make install                           into that server's directories
#   make installcheck                      pg_regress and isolation tests,
#                                          against a running server
#   make unit                              unit tests (cmocka), no server
#   make format                            rewrite the sources in house style
#
# Everything else (demo, whole test run, other servers) is ./run.

MODULE_big = ssdpar
EXTENSION = ssdpar
DATA = ssdpar--1.0.sql
PGFILEDESC = "ssdpar - keeps an SSD busy and tells the planner"

# The measuring engine, shared by the server module and ssdpar-probe.
PROBE_ENGINE = \
	probe/device.o \
	probe/engine.o \
	probe/error.o \
	probe/json.o \
	probe/load.o \
	probe/plan.o \
	probe/ring.o \
	probe/scratch.o \
	probe/statistics.o \
	probe/summary.o

PROBE_PROGRAM = \
	probe/args.o \
	probe/main.o \
	probe/report.o \
	probe/store.o

OBJS = \
	$(PROBE_ENGINE) \
	common/protocol.o \
	src/cost/company.o \
	src/cost/context.o \
	src/cost/core_costs.o \
	src/cost/drift.o \
	src/cost/model.o \
	src/cost/reprice.o \
	src/cost/residency.o \
	src/cost/suggest.o \
	src/cost/table_price.o \
	src/device/anchor.o \
	src/device/calibrate.o \
	src/device/device_row.o \
	src/device/inspect.o \
	src/device/interpolate.o \
	src/device/profile.o \
	src/device/table_rows.o \
	src/partition/partition_path.o \
	src/partition/partition_scan.o \
	src/partition/row_queue.o \
	src/planner/explain_reason.o \
	src/planner/index_join.o \
	src/planner/planning.o \
	src/planner/predict.o \
	src/planner/star.o \
	src/planner/star_choose.o \
	src/planner/star_cost.o \
	src/planner/star_dimension.o \
	src/planner/star_enter.o \
	src/planner/star_index.o \
	src/planner/star_path.o \
	src/planner/star_reducers.o \
	src/planner/star_rescan.o \
	src/planner/star_ways.o \
	src/planner/star_work.o \
	src/planner/subqueries.o \
	src/planner/whole_tuples.o \
	src/planner/workers.o \
	src/prefetch/client.o \
	src/prefetch/follow.o \
	src/prefetch/local_read.o \
	src/prefetch/page_list.o \
	src/prefetch/pieces.o \
	src/prefetch/read_pages.o \
	src/prefetch/scan_pieces.o \
	src/prefetch/scan_window.o \
	src/prefetch/supervisor.o \
	src/prefetch/window.o \
	src/starscan/index_keys.o \
	src/starscan/index_level.o \
	src/starscan/index_rows.o \
	src/starscan/key_code.o \
	src/starscan/key_set.o \
	src/starscan/star_ahead.o \
	src/starscan/star_bitmap.o \
	src/starscan/star_explain.o \
	src/starscan/star_keys.o \
	src/starscan/star_pages.o \
	src/starscan/star_plan.o \
	src/starscan/star_scan.o \
	src/starscan/star_sequential.o \
	src/starscan/star_shared.o \
	src/starscan/star_team.o \
	src/starscan/star_tests.o \
	src/starscan/test_aids.o \
	src/starscan/tid_image.o \
	src/starscan/tid_pages.o \
	src/starscan/tid_set.o \
	src/stats/counters.o \
	src/stats/daemon_status.o \
	src/stats/explain_prefetch.o \
	src/stats/stats_view.o \
	src/hooks.o \
	src/settings.o \
	src/ssdpar.o

REGRESS = settings device subqueries prefetch cost star_data starscan \
	star_plans
ISOLATION = calibrate locked_profile split_serializable split_snapshot \
	star_serializable

# The prefetch daemon; common/protocol.o is the server module's as well.
DAEMON_PROGRAM = \
	daemon/accept.o \
	daemon/cpu_wait.o \
	daemon/dispatch.o \
	daemon/files.o \
	daemon/latency.o \
	daemon/limits.o \
	daemon/listen.o \
	daemon/log.o \
	daemon/main.o \
	daemon/options.o \
	daemon/pagecache.o \
	daemon/problem.o \
	daemon/reader.o \
	daemon/restrict.o \
	daemon/ring.o \
	daemon/scheduler.o \
	daemon/scheduler_next.o \
	daemon/server.o \
	daemon/session.o \
	daemon/status.o \
	daemon/threads.o

EXTRA_CLEAN = probe/ssdpar-probe daemon/ssdpard $(PROBE_PROGRAM) \
	$(DAEMON_PROGRAM)

PG_CONFIG ?= pg_config

# The server's own headers are not ours to warn about.
PG_CPPFLAGS = -Isrc -I. -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CFLAGS = -Wextra -Wno-unused-parameter
SHLIB_LINK = -luring -lm

ifdef WERROR
PG_CFLAGS += -Werror
endif

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

all: probe/ssdpar-probe daemon/ssdpard

# A server built without --enable-depend follows no header; there are few
# enough that each change may rebuild everything.
$(OBJS) $(PROBE_PROGRAM): $(wildcard common/*.h probe/*.h src/*.h src/*/*.h)

$(PROBE_PROGRAM): override CPPFLAGS += -I$(includedir)

probe/ssdpar-probe: $(PROBE_ENGINE) $(PROBE_PROGRAM)
	$(CC) $(CFLAGS) $^ $(LDFLAGS) -L$(libdir) -lpq -luring -lm -o $@

$(DAEMON_PROGRAM): $(wildcard common/*.h daemon/*.h)
$(DAEMON_PROGRAM): override CPPFLAGS += -D_GNU_SOURCE -Idaemon

daemon/ssdpard: common/protocol.o $(DAEMON_PROGRAM)
	$(CC) $(CFLAGS) $^ $(LDFLAGS) -pthread -luring -o $@

install: install-probe install-daemon

install-daemon: daemon/ssdpard
	$(MKDIR_P) '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man8'
	$(INSTALL_PROGRAM) daemon/ssdpard '$(DESTDIR)$(bindir)/ssdpard'
	$(INSTALL_DATA) docs/ssdpard.8 '$(DESTDIR)$(mandir)/man8/'

install-probe: probe/ssdpar-probe
	$(MKDIR_P) '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1'
	$(INSTALL_PROGRAM) probe/ssdpar-probe '$(DESTDIR)$(bindir)/ssdpar-probe'
	$(INSTALL_DATA) docs/ssdpar-probe.1 '$(DESTDIR)$(mandir)/man1/'

uninstall: uninstall-probe uninstall-daemon

uninstall-daemon:
	rm -f '$(DESTDIR)$(bindir)/ssdpard'
	rm -f '$(DESTDIR)$(mandir)/man8/ssdpard.8'

uninstall-probe:
	rm -f '$(DESTDIR)$(bindir)/ssdpar-probe'
	rm -f '$(DESTDIR)$(mandir)/man1/ssdpar-probe.1'

unit:
	$(MAKE) -C test/unit run

.PHONY: install-probe uninstall-probe install-daemon uninstall-daemon unit
