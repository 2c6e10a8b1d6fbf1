# bench/program.mk: what the benchmark's C programs are built with alike.
#
# A program's own flags, libraries and targets stand in its own Makefile.
#
#   WERROR=1     warnings are errors
#   SANITIZE=1   under ASan and UBSan; such objects lie beside the plain ones

CFLAGS ?= -O2 -g
CFLAGS += -std=gnu17 -Wall -Wextra -pthread
CPPFLAGS += -D_GNU_SOURCE

# One version for the whole project.
VERSION := $(shell sed -n "s/^default_version = '\(.*\)'/\1/p" \
	../../ssdpar.control)

ifdef WERROR
CFLAGS += -Werror
endif

ifdef SANITIZE
CFLAGS += -fsanitize=address,undefined -fno-sanitize-recover=all
X = .san
endif

%$X.o: %.c $(wildcard *.h) Makefile ../program.mk
	$(CC) $(CFLAGS) $(CPPFLAGS) -c -o $@ $<
