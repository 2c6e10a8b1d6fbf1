/*
 * test_probe_args.c
 *		Unit tests of the command line of ssdpar-probe (probe/args.c).
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/args.h"

#define MOST_WORDS 12

/* Splits LINE at blanks, instead of a shell. */
static bool
parse(const char *line, ProbeArgs *args, ProbeError *error)
{
	static char copy[256];
	char	   *words[MOST_WORDS] = {(char *) "ssdpar-probe"};
	int			count = 1;
	char	   *save;

	snprintf(copy, sizeof(copy), "%s", line);
	for (char *word = strtok_r(copy, " ", &save);
		 word != NULL && count < MOST_WORDS - 1;
		 word = strtok_r(NULL, " ", &save))
		words[count++] = word;
	return ssdpar_probe_parse_args(count, words, args, error);
}

static void
only_a_directory(void **state)
{
	ProbeArgs	args;
	ProbeError	error;

	(void) state;
	assert_true(parse("/data", &args, &error));
	assert_string_equal(args.directory, "/data");
	assert_false(args.json || args.options.writes);
	assert_null(args.store);
	assert_int_equal(args.options.nsizes, 6);
	assert_int_equal(args.options.ndepths, 7);
	assert_true(args.options.file_size == PROBE_MAX_FILE);
}

static void
every_option(void **state)
{
	ProbeArgs	args;
	ProbeError	error;

	(void) state;
	assert_true(parse("--json --writes --sizes 4,1024 --depths=1,256 "
					  "--seconds 2.5 --file-size 64mb /data",
					  &args, &error));
	assert_true(args.json && args.options.writes);
	assert_int_equal(args.options.nsizes, 2);
	assert_int_equal(args.options.sizes[1], 1024 * 1024);
	assert_int_equal(args.options.depths[1], 256);
	assert_true(args.options.seconds == 2.5);
	assert_true(args.options.file_size == INT64_C(64) << 20);
	assert_true(parse("/data --store=dbname=x --tablespace ts", &args,
					  &error));
	assert_string_equal(args.store, "dbname=x");
	assert_string_equal(args.tablespace, "ts");
	assert_true(parse("--inside --json --seconds 5 /data", &args, &error));
	assert_int_equal(args.action, PROBE_ACTION_INSIDE);
	assert_true(args.json && args.options.file_size == INT64_C(256) << 20);
	assert_true(parse("--file-size 1GB --inside /data", &args, &error));
	assert_true(args.options.file_size == INT64_C(1) << 30);
	assert_true(parse("--help", &args, &error));
	assert_int_equal(args.action, PROBE_ACTION_HELP);
	assert_true(parse("--version", &args, &error));
	assert_int_equal(args.action, PROBE_ACTION_VERSION);
}

/* Each is refused with a complete message: problem, meaning, and hint. */
static void
malformed(void **state)
{
	static const char *const lines[] = {
		"", "/a /b", "--nonsense /a", "/a --sizes", "--json=1 /a",
		"--sizes= /a", "--sizes 8,,16 /a", "--sizes 8, /a", "--sizes 8k /a",
		"--sizes -8 /a", "--sizes 16,8 /a", "--sizes 8,8 /a",
		"--sizes 99999999999999999999 /a", "--sizes 4194304 /a",
		"--sizes 1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17 /a",
		"--depths 0 /a", "--depths 257 /a", "--depths +1 /a",
		"--seconds x /a", "--seconds nan /a", "--seconds 0 /a",
		"--seconds 1e9 /a", "--seconds 5s /a", "--file-size -1 /a",
		"--file-size 64XB /a", "--file-size 99999999999999GB /a",
		"--file-size 2GB /a", "--file-size 1MB /a", "--file-size 16385kB /a",
		"--tablespace x /a", "--inside --writes /a", "--sizes 8 --inside /a",
		"--inside --depths 2 /a", "--inside --store x /a",
		"--inside --tablespace x /a", "--inside", "--inside --seconds 0 /a",
	};
	ProbeArgs	args;
	ProbeError	error;

	(void) state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++)
	{
		if (parse(lines[i], &args, &error))
			fail_msg("\"%s\" was taken", lines[i]);
		if (error.kind != PROBE_BAD_OPTION || error.message[0] == '\0' ||
			error.detail[0] == '\0' || error.hint[0] == '\0')
			fail_msg("\"%s\" was refused without a whole message", lines[i]);
	}
}

/* The message shows the number as it was given, however large. */
static void
refused_as_given(void **state)
{
	ProbeArgs	args;
	ProbeError	error;

	(void) state;
	assert_false(parse("--sizes 8,2147483647 /a", &args, &error));
	assert_non_null(strstr(error.message, " 2147483647 kB "));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(only_a_directory),
		cmocka_unit_test(every_option),
		cmocka_unit_test(malformed),
		cmocka_unit_test(refused_as_given),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
