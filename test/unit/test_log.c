/*
 * test_log.c
 *		Unit tests of the daemon's log: when a line is prefixed with a
 *		priority.
 *
 * links: daemon/log.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/log.h"

static char line[256];

/*
 * A warning, written to a stderr whose inode differs from JOURNAL_STREAM by
 * off.
 */
static const char *
written(uintmax_t off)
{
	int			before = dup(STDERR_FILENO);
	FILE	   *file = tmpfile();
	struct stat status;
	char		stream[64];

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &status), 0);
	snprintf(stream, sizeof(stream), "%ju:%ju", (uintmax_t) status.st_dev,
			 (uintmax_t) status.st_ino + off);
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fileno(file), STDERR_FILENO);
	ssdpard_log(SSDPARD_LOG_WARNING, "a %s", "message");
	dup2(before, STDERR_FILENO);
	close(before);
	rewind(file);
	assert_non_null(fgets(line, sizeof(line), file));
	fclose(file);
	return line;
}

static void
the_journal_gets_priorities(void **state)
{
	(void) state;
	assert_string_equal(written(0), "<4>a message\n");
}

/* As under a systemd service whose log the journal collects. */
static void
another_place_gets_none(void **state)
{
	(void) state;
	assert_string_equal(written(1), "ssdpard: warning: a message\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_journal_gets_priorities),
		cmocka_unit_test(another_place_gets_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
