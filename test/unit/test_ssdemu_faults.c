/*
 * test_ssdemu_faults.c
 *		The commands that set faults, the frequency of faults, and the bounds
 *		of the command line.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssdemu_args.h"
#include "ssdemu_faults.h"

static void
test_commands(void **state)
{
	SsdemuFaults faults;
	SsdsimError error = {""};
	char		text[256];

	(void) state;
	ssdemu_faults_init(&faults, 1);
	assert_true(ssdemu_faults_command(&faults, "eio read 0.25\n"
									  "spike 0.5 1500\n\nread-only on",
									  &error));
	ssdemu_faults_print(&faults, text, sizeof(text));
	assert_string_equal(text, "eio read 0.25\neio write 0\n"
						"spike 0.5 1500\nread-only on\n");
	assert_int_equal(ssdemu_faults_errno(&faults, SSDSIM_WRITE), EROFS);
	/* the output is valid input */
	assert_true(ssdemu_faults_command(&faults, text, &error));
	assert_true(ssdemu_faults_command(&faults, "reset", &error));
	for (int i = 0; i < 1000; i++)
	{
		assert_int_equal(ssdemu_faults_errno(&faults, i % 2), 0);
		assert_int_equal(ssdemu_faults_delay(&faults), 0);
	}
}

static void
test_refused(void **state)
{
	static const char *const bad[] = {
		"eio", "eio read", "eio read x", "eio read 1.1", "eio read -1",
		"eio both 0.1", "eio read nan", "spike 0.1", "spike 2 1",
		"spike 0.1 1e9", "read-only", "read-only maybe", "reset now",
		"eio read 0.1 extra", "a b c d e",
		/* longer than any command; the end does not count as blank */
		"eio read 0.1                                                  "
		"                                                              "
		"                    extra",
	};
	SsdemuFaults faults;

	(void) state;
	ssdemu_faults_init(&faults, 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
	{
		SsdemuFaults before = faults;
		SsdsimError error = {""};
		char		text[256];
		char		shown[101];

		/* the valid line before it is not executed either */
		snprintf(text, sizeof(text), "eio write 0.5\n%s", bad[i]);
		assert_false(ssdemu_faults_command(&faults, text, &error));
		snprintf(shown, sizeof(shown), "%s", bad[i]);
		assert_non_null(strstr(error.text, shown));
		assert_memory_equal(&before, &faults, sizeof(faults));
	}
}

static void
test_frequency(void **state)
{
	SsdemuFaults faults;
	SsdemuFaults same;
	SsdsimError error = {""};
	int			errors = 0;
	int			spikes = 0;

	(void) state;
	ssdemu_faults_init(&faults, 7);
	ssdemu_faults_init(&same, 7);
	assert_true(ssdemu_faults_command(&faults, "eio read 0.1\nspike 0.2 30",
									  &error));
	assert_true(ssdemu_faults_command(&same, "eio read 0.1\nspike 0.2 30",
									  &error));
	for (int i = 0; i < 10000; i++)
	{
		int			errnum = ssdemu_faults_errno(&faults, SSDSIM_READ);
		int64_t		delay = ssdemu_faults_delay(&faults);

		assert_int_equal(errnum, ssdemu_faults_errno(&same, SSDSIM_READ));
		assert_int_equal(delay, ssdemu_faults_delay(&same));
		assert_true(delay == 0 || delay == 30000);
		errors += errnum == EIO;
		spikes += delay != 0;
	}
	assert_in_range(errors, 900, 1100);
	assert_in_range(spikes, 1850, 2150);
	assert_int_equal(ssdemu_faults_errno(&faults, SSDSIM_WRITE), 0);
}

/* Up to six words after the program's name. */
static bool
parse(SsdemuArgs *args, SsdsimError *error, const char *a, const char *b,
	  const char *c, const char *d)
{
	const char *words[] = {"ssdemu", a, b, c, d, NULL};
	int			count = 1;

	while (words[count] != NULL)
		count++;
	return ssdemu_args_parse(count, (char **) words, SSDSIM_DEVICES, args,
							 error);
}

static void
test_arguments(void **state)
{
	SsdemuArgs	args;
	SsdsimError error;

	(void) state;
	assert_true(parse(&args, &error, "a", "b", NULL, NULL));
	assert_string_equal(args.device.name, "ssd-s");
	assert_int_equal(args.device.spec.channels, 10);
	assert_string_equal(args.mountpoint, "b");
	/* in any order */
	assert_true(parse(&args, &error, "--set=mapping static",
					  "--device=ssd-m", "a", "b"));
	assert_int_equal(args.device.spec.mapping, SSDSIM_MAP_STATIC);
	assert_int_equal(args.device.spec.flash_program[0], 900000);
	assert_true(parse(&args, &error, "--scheduler=paq2", "--age=0.5", "a",
					  "b"));
	assert_string_equal(args.device.policy->name, "paq2");
	assert_true(args.device.age == 0.5);
	assert_true(parse(&args, &error, "--help", NULL, NULL, NULL));
	assert_int_equal(args.action, SSDEMU_HELP);
	assert_false(parse(&args, &error, "a", NULL, NULL, NULL));
	assert_false(parse(&args, &error, "a", "b", "c", NULL));
	assert_false(parse(&args, &error, "--device=x", "a", "b", NULL));
	assert_non_null(strstr(error.text, "--list"));
	assert_false(parse(&args, &error, "--set=blocks 3", "a", "b", NULL));
	assert_false(parse(&args, &error, "--set=blocks 40", "--set=pages 2", "a",
					   "b"));
	assert_non_null(strstr(error.text, "files need"));
	assert_false(parse(&args, &error, "--scheduler=fifo", "a", "b", NULL));
	assert_false(parse(&args, &error, "--age=-1", "a", "b", NULL));
	assert_false(parse(&args, &error, "--age=nan", "a", "b", NULL));
	assert_false(parse(&args, &error, "--seed=-1", "a", "b", NULL));
	assert_false(parse(&args, &error, "--seed=", "a", "b", NULL));
	assert_false(parse(&args, &error, "--request-kb=2048", "a", "b", NULL));
	assert_false(parse(&args, &error, "--request-kb=6", "a", "b", NULL));
	assert_false(parse(&args, &error, "--transport=1us", "a", "b", NULL));
	assert_false(parse(&args, &error, "--follow=0", "a", "b", NULL));
	assert_false(parse(&args, &error, "--what", "a", "b", NULL));
	assert_false(parse(&args, &error, "a", "b", "--seed", NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_commands),
		cmocka_unit_test(test_refused),
		cmocka_unit_test(test_frequency),
		cmocka_unit_test(test_arguments),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
