# ssdpar: builds the extension (PGXS), ssdpar-probe and the daemon ssdpard.
#
#   make [PG_CONFIG=/path/to/pg_config]    build against that server: 15, 17 or 18
#   make install                           into that server's directories
#   make install SERVER_ALONE=1            without the two programs
#   make install-programs bindir=DIR mandir=DIR     those alone
#   make install-units                     systemd units of the daemon
#   make dist                              what PGXN is given: a zip of HEAD
#   make installcheck                      pg_regress and isolation tests,
#                                          against a running server
#   make install-tests                     the SQL functions that these need
#   make unit                              unit tests (cmocka), no server
#   make format                            lay out the sources in house style
#   make format-check                      show what that would change
#
# Everything else (demo, whole test run, other servers) is ./run.

MODULE_big = ssdpar
EXTENSION = ssdpar
DATA_built = built/ssdpar--1.0.sql
PGFILEDESC = "ssdpar - keeps an SSD busy and tells the planner"

# What CREATE EXTENSION runs, in this order; a rule of the advisor a file.
SCRIPT_PARTS = \
	ssdpar--1.0.sql \
	advise/objects.sql \
	advise/evidence.sql \
	advise/in_place_updates.sql \
	advise/hot_and_cold.sql \
	advise/compact_tables.sql \
	advise/compact_indexes.sql \
	advise/heavy_writes.sql \
	advise/mixed_io.sql \
	advise/large_io.sql \
	advise/full_device.sql \
	advise/many_for_small.sql \
	advise/few_for_large.sql \
	advise/advise.sql

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
	probe/inside.o \
	probe/inside_degree.o \
	probe/inside_file.o \
	probe/inside_fit.o \
	probe/inside_layout.o \
	probe/inside_mapping.o \
	probe/inside_pairs.o \
	probe/main.o \
	probe/report.o \
	probe/store.o

# Every source file below src/ is part of the module.
here := $(dir $(abspath $(lastword $(MAKEFILE_LIST))))
MODULE_SOURCES := $(sort $(foreach level,* */* */*/*, \
	$(wildcard $(here)src/$(level).c)))

OBJS = \
	$(PROBE_ENGINE) \
	common/protocol.o \
	$(MODULE_SOURCES:$(here)%.c=%.o)

# What test/modules/ssdpar_test calls.  Since 16, a library exports only what is
# marked; these export all, which costs nothing, as ssdpar.so still binds its
# own calls to itself.
TESTED_INSIDE = \
	src/prefetch/client.o src/prefetch/page_list.o \
	$(filter src/btree/% src/keys/% src/tids/%,$(OBJS))

REGRESS = settings changed_settings device subqueries prefetch cost \
	row_spread loop_runs filter_runs limit \
	index_join index_join_hot star_data \
	starscan page_filter star_plans star_covering star_rows star_safety star_choice \
	uneven_keys short_queries \
	split_keys \
	partitions partition_devices foreign_shards key_filter \
	server_links \
	array_keys advise
ISOLATION = calibrate profile_updates split_serializable split_snapshot \
	star_serializable page_serializable star_partitions \
	star_older_snapshot

# The prefetch daemon; common/protocol.o is the server module's as well.
DAEMON_PROGRAM = \
	daemon/accept.o \
	daemon/clock.o \
	daemon/cpu_wait.o \
	daemon/descriptor_limits.o \
	daemon/dispatch.o \
	daemon/files.o \
	daemon/latency.o \
	daemon/listen.o \
	daemon/log.o \
	daemon/main.o \
	daemon/options.o \
	daemon/packet.o \
	daemon/page_cache.o \
	daemon/problem.o \
	daemon/reader.o \
	daemon/refusal.o \
	daemon/ring.o \
	daemon/ring_restrict.o \
	daemon/scheduler.o \
	daemon/scheduler_policy.o \
	daemon/scheduler_queues.o \
	daemon/server.o \
	daemon/session.o \
	daemon/status.o \
	daemon/thread_pool.o \
	daemon/trace.o

ALL_OBJECTS = $(OBJS) $(PROBE_PROGRAM) $(DAEMON_PROGRAM)

EXTRA_CLEAN = probe/ssdpar-probe daemon/ssdpard $(PROBE_PROGRAM) \
	$(DAEMON_PROGRAM) $(ALL_OBJECTS:.o=.d)

PG_CONFIG ?= pg_config

# The server's own headers are not ours to warn about.
PG_CPPFLAGS = -Isrc -I. -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CFLAGS = -Wextra -Wno-unused-parameter
SHLIB_LINK = -luring -lm -Wl,-Bsymbolic-functions

ifdef WERROR
PG_CFLAGS += -Werror
endif

# Bitcode serves to inline our SQL functions into compiled expressions of a
# query.  Of these only in_key_filter() is called for many rows, and its lookup
# takes longer than the call that inlining would save.  Compiling the bitcode
# takes as long as compiling the library.
override with_llvm = no

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)

# Packages have the programs once and the module for each server.
ifndef SERVER_ALONE
all: programs
install: install-programs
uninstall: uninstall-programs
endif

# Bitcode of an earlier version would be inlined in place of the library's code.
install: remove-bitcode

remove-bitcode:
	rm -rf '$(DESTDIR)$(pkglibdir)/bitcode/ssdpar' \
		'$(DESTDIR)$(pkglibdir)/bitcode/ssdpar.index.bc'

built/ssdpar--1.0.sql: $(SCRIPT_PARTS)
	$(MKDIR_P) built
	cat $^ >$@

programs: probe/ssdpar-probe daemon/ssdpard

# The compiler writes down which headers an object includes.  One without that,
# as PGXS of a server built with --enable-depend compiles it, depends on all.
override CPPFLAGS += -MMD -MP

DEPENDENCIES := $(wildcard $(ALL_OBJECTS:.o=.d))
-include $(DEPENDENCIES)
$(filter-out $(DEPENDENCIES:.d=.o),$(ALL_OBJECTS)): $(wildcard common/*.h \
	daemon/*.h probe/*.h src/*.h src/*/*.h src/*/*/*.h)

$(TESTED_INSIDE): override CFLAGS += -fvisibility=default

$(PROBE_PROGRAM): override CPPFLAGS += -I$(includedir)

probe/ssdpar-probe: $(PROBE_ENGINE) $(PROBE_PROGRAM)
	$(CC) $(CFLAGS) $^ $(LDFLAGS) -L$(libdir) -lpq -luring -lm -o $@

$(DAEMON_PROGRAM): override CPPFLAGS += -D_GNU_SOURCE -Idaemon

daemon/ssdpard: common/protocol.o $(DAEMON_PROGRAM)
	$(CC) $(CFLAGS) $^ $(LDFLAGS) -pthread -luring -o $@

install-programs: install-probe install-daemon

uninstall-programs: uninstall-probe uninstall-daemon

install-daemon: daemon/ssdpard
	$(MKDIR_P) '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man8'
	$(INSTALL_PROGRAM) daemon/ssdpard '$(DESTDIR)$(bindir)/ssdpard'
	$(INSTALL_DATA) docs/ssdpard.8 '$(DESTDIR)$(mandir)/man8/'

install-probe: probe/ssdpar-probe
	$(MKDIR_P) '$(DESTDIR)$(bindir)' '$(DESTDIR)$(mandir)/man1'
	$(INSTALL_PROGRAM) probe/ssdpar-probe '$(DESTDIR)$(bindir)/ssdpar-probe'
	$(INSTALL_DATA) docs/ssdpar-probe.1 '$(DESTDIR)$(mandir)/man1/'

uninstall-daemon:
	rm -f '$(DESTDIR)$(bindir)/ssdpard'
	rm -f '$(DESTDIR)$(mandir)/man8/ssdpard.8'

uninstall-probe:
	rm -f '$(DESTDIR)$(bindir)/ssdpar-probe'
	rm -f '$(DESTDIR)$(mandir)/man1/ssdpar-probe.1'

# The unit in the sources says where packages put the daemon.
unitdir ?= /etc/systemd/system

install-units:
	$(MKDIR_P) '$(DESTDIR)$(unitdir)'
	$(INSTALL_DATA) daemon/ssdpard.socket '$(DESTDIR)$(unitdir)/'
	sed 's,^ExecStart=.*/,ExecStart=$(bindir)/,' daemon/ssdpard.service \
		>'$(DESTDIR)$(unitdir)/ssdpard.service'
	chmod 644 '$(DESTDIR)$(unitdir)/ssdpard.service'

uninstall-units:
	rm -f '$(DESTDIR)$(unitdir)/ssdpard.service'
	rm -f '$(DESTDIR)$(unitdir)/ssdpard.socket'

# What is committed, and nothing else; the version is META.json's.
dist_name = ssdpar-$(shell sed -n 's/^   "version": "\(.*\)",$$/\1/p' META.json)

dist:
	git archive --format=zip --prefix=$(dist_name)/ -o $(dist_name).zip HEAD

install-tests: $(shlib)
	$(MAKE) -C test/modules/ssdpar_test install

clean: clean-tests

clean-tests:
	$(MAKE) -C test/modules/ssdpar_test clean

unit:
	$(MAKE) -C test/unit run

format:
	test/structure/format.py

format-check:
	test/structure/format.py --check

.PHONY: programs remove-bitcode install-programs uninstall-programs \
	install-probe uninstall-probe install-daemon uninstall-daemon install-units \
	uninstall-units dist install-tests clean-tests unit format format-check
