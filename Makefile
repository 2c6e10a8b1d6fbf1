# ssdpar: builds the extension (PGXS) and the ssdpar-probe program.
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

OBJS = \
	src/hooks.o \
	src/settings.o \
	src/ssdpar.o

REGRESS = settings

PG_CONFIG ?= pg_config

# The server's own headers are not ours to warn about.
PG_CPPFLAGS = -Isrc -I. -isystem $(shell $(PG_CONFIG) --includedir-server)
PG_CFLAGS = -Wextra -Wno-unused-parameter
SHLIB_LINK = -luring

ifdef WERROR
PG_CFLAGS += -Werror
endif

PGXS := $(shell $(PG_CONFIG) --pgxs)
include $(PGXS)
