/*
 * test_ssdsim_input.c
 *		Descriptions, traces and command lines: what is refused, and with which
 *		message.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_args.h"
#include "ssdsim_replay.h"

#define MAX_WORDS 32

/* Reads a description of a device of 16 planes, with this change. */
static bool
read_spec(const char *instead, SsdsimSpec *spec, SsdsimError *error)
{
	static const char *const lines[] = {
		"about a toy", "channels 4", "packages 4", "blocks 20", "pages 16",
		"page 4 kB", "over-provisioning 40 %", "mapping order", "queue 32",
		"flash-read 25 us", "flash-program 250 1000 us",
		"flash-erase 0.7 ms", "channel-transfer 100 us",
		"bus-transfer 500 ns",
	};
	char		text[2048] = "# a comment\n\n";
	size_t		name = strcspn(instead, " ");
	FILE	   *file;
	bool		good;

	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
	{
		if (strncmp(lines[i], instead, name) != 0 || lines[i][name] != ' ')
			strcat(strcat(text, lines[i]), "\n");
	}
	strcat(text, instead);
	file = fmemopen(text, strlen(text), "r");
	assert_non_null(file);
	good = ssdsim_spec_read(file, "toy", spec, error);
	fclose(file);
	return good;
}

static void
refuse_spec(const char *instead, const char *why)
{
	SsdsimSpec	spec;
	SsdsimError error = {""};

	if (read_spec(instead, &spec, &error))
		fail_msg("\"%s\" is taken", instead);
	if (strstr(error.text, why) == NULL || strchr(error.text, '\n') != NULL)
		fail_msg("\"%s\": %s", instead, error.text);
}

static void
test_spec(void **state)
{
	SsdsimSpec	spec;
	SsdsimError error;

	(void) state;
	assert_true(read_spec("", &spec, &error));
	assert_string_equal(spec.about, "a toy");
	assert_int_equal(spec.page_bytes, 4096);
	assert_int_equal(spec.program_times, 2);
	assert_int_equal(spec.flash_program[1], 1000000);
	assert_int_equal(spec.flash_erase, 700000);
	assert_int_equal(spec.bus_transfer, 500);
	assert_int_equal(spec.mapping, SSDSIM_MAP_ORDER);
	assert_int_equal(ssdsim_spec_user_pages(&spec), 16 * 20 * 16 * 10 / 14);
}

static void
test_bad_specs(void **state)
{
	(void) state;
	/* impossible geometry */
	refuse_spec("channels 0", "out of range");
	refuse_spec("channels -3", "out of range");
	refuse_spec("channels 2.5", "whole number");
	refuse_spec("channels many", "whole number");
	refuse_spec("channels 99999999999999999999", "out of range");
	refuse_spec("pages 1", "out of range");
	refuse_spec("page 4000 B", "multiple of 512");
	refuse_spec("blocks 16000000", "more than");
	refuse_spec("channels", "whole number");
	refuse_spec("channels 4 us", "whole number");
	/* no free blocks */
	refuse_spec("over-provisioning 0 %", "no free blocks");
	refuse_spec("over-provisioning 5 %", "no free blocks");
	refuse_spec("over-provisioning -5 %", "out of range");
	refuse_spec("gc-low 3", "gc-high is less than gc-low");
	refuse_spec("gc-high 20", "not below the 20 blocks");
	/* a queue of zero */
	refuse_spec("queue 0", "out of range: 1 to 1048576 is possible");
	/* times */
	refuse_spec("flash-read -1 us", "out of range");
	refuse_spec("flash-read nan us", "a number and ns");
	refuse_spec("flash-read inf us", "a number and ns");
	refuse_spec("flash-read 25", "a number and ns");
	refuse_spec("flash-read 25 kB", "a number and ns");
	refuse_spec("flash-read 2 3 us", "a number and ns");
	refuse_spec("flash-read 5000 s", "out of range");
	refuse_spec("flash-program 1 2 3 4 5 6 7 8 9 us", "up to 8 numbers");
	refuse_spec("flash-program us", "up to 8 numbers");
	refuse_spec("bus-transfer 0 us", "would take no time");
	/* control sequences for a terminal */
	refuse_spec("\033[2Jx 1", "\"?[2Jx\" is nothing");
	/* words */
	refuse_spec("mapping hash", "static or order");
	refuse_spec("hot-cold perhaps", "yes or no");
	refuse_spec("colour blue", "nothing that a device has");
	refuse_spec("queue 32\nqueue 32", "twice");
	refuse_spec("stripe 6 kB", "not a multiple of a page");
	/* disks */
	refuse_spec("mechanical yes", "needs capacity");
	refuse_spec("mechanical yes\ncapacity 1 GB\nmedia-transfer 1 us\n"
				"seek-least 2 us\nseek-most 1 us", "less than seek-least");
}

static void
test_unfinished_specs(void **state)
{
	SsdsimSpec	spec;
	SsdsimError error;
	FILE	   *file = fmemopen((void *) "channels 4\n", 11, "r");
	char		line[1024];

	(void) state;
	assert_false(ssdsim_spec_read(file, "cut", &spec, &error));
	assert_non_null(strstr(error.text, "does not say packages"));
	fclose(file);
	file = fmemopen((void *) "channels 4\0 more", 16, "r");
	assert_false(ssdsim_spec_read(file, "zero", &spec, &error));
	assert_non_null(strstr(error.text, "line 1: a byte of zero"));
	fclose(file);
	memset(line, 'a', sizeof(line));
	file = fmemopen(line, sizeof(line), "r");
	assert_false(ssdsim_spec_read(file, "long", &spec, &error));
	assert_non_null(strstr(error.text, "longer than"));
	fclose(file);
	assert_false(ssdsim_spec_load("no-such", SSDSIM_DEVICES, &spec, &error));
	assert_non_null(strstr(error.text, "--list"));
	assert_false(ssdsim_spec_load("/dev/zero", SSDSIM_DEVICES, &spec, &error));
	assert_non_null(strstr(error.text, "not a regular file"));
}

static void
test_shipped_devices(void **state)
{
	static const char *const names[] = {
		"ssd-s", "ssd-m", "ssd-p", "paq", "x25-e", "s3700", "750", "nvme", "hdd"
	};

	(void) state;
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
	{
		SsdsimSpec	spec;
		SsdsimError error;

		if (!ssdsim_spec_load(names[i], SSDSIM_DEVICES, &spec, &error))
			fail_msg("%s", error.text);
		assert_true(spec.about[0] != '\0');
	}
}

/* ----- traces ----- */

static bool
replay(FILE *file, int64_t depth, bool fold, SsdsimResult *result,
	   SsdsimError *error)
{
	static SsdsimRun run;
	SsdsimSpec	spec;
	SsdsimTrace trace = {
		.file = file, .spec = &spec, .filename = "toy", .fold = fold,
		.error = error
	};
	bool		good;

	assert_non_null(trace.file);
	assert_true(read_spec("", &spec, error));
	ssdsim_run_begin(&run, &spec, ssdsim_policy_at(0), 1, 0);
	good = ssdsim_replay(&trace, depth, &run);
	*result = run.result;
	fclose(trace.file);
	return good;
}

static bool
run_trace(const char *text, int64_t depth, bool fold, SsdsimResult *result,
		  SsdsimError *error)
{
	return replay(fmemopen((void *) text, strlen(text), "r"), depth, fold,
				  result, error);
}

static void
refuse_trace(const char *text, const char *why)
{
	static SsdsimResult result;
	SsdsimError error = {""};

	if (run_trace(text, 0, false, &result, &error))
		fail_msg("\"%s\" is taken", text);
	if (strstr(error.text, why) == NULL || strchr(error.text, '\n') != NULL)
		fail_msg("\"%s\": %s", text, error.text);
}

static void
test_trace(void **state)
{
	static SsdsimResult result;
	static const char text[] =
		"# time kind address bytes\n"
		"0 read 0 4096\n"
		"\n"
		"0 write 4096 8192  # two pages\n"
		"1000.5 read 0 4096\n"
		"1000.5 trim 0 1048576\n";
	SsdsimError error;

	(void) state;
	assert_true(run_trace(text, 0, false, &result, &error));
	assert_int_equal(result.requests, 4);
	assert_int_equal(result.counts.requests[SSDSIM_TRIM], 1);
	assert_int_equal(result.late, 0);
	/* the last read: flash, channel, bus */
	assert_int_equal(result.time, 1000500 + 25000 + 100000 + 500);
	/* one at a time: three of those, and less for buffered data */
	assert_true(run_trace(text, 1, false, &result, &error));
	assert_true(result.time < 1000000);
}

/* Output of ssdemu and ssdpard: a process, marks, flushes, large addresses. */
static void
test_recorded_trace(void **state)
{
	static SsdsimResult result;
	static const char text[] =
		"0 write 0 4096 0\n"
		"mark a name, of any # kind\n"
		"1 flush 0 0 17\n"
		"mark\n"
		"99999 read 14974976 8192 4294967295\n"
		"99999 read 18446744073709551615 4096 7\n";
	SsdsimError error;

	(void) state;
	assert_false(run_trace(text, 0, false, &result, &error));
	assert_true(run_trace(text, 0, true, &result, &error));
	assert_int_equal(result.requests, 4);
	assert_int_equal(result.counts.requests[SSDSIM_FLUSH], 1);
	assert_int_equal(result.counts.requests[SSDSIM_READ], 2);
	assert_int_equal(result.bytes, 4096 + 8192 + 4096);
}

static void
test_bad_traces(void **state)
{
	static SsdsimResult result;
	SsdsimError error;
	FILE	   *file = fmemopen((void *) "0 read 0 4096\0 8\n", 17, "r");

	(void) state;
	assert_false(replay(file, 0, false, &result, &error));
	assert_non_null(strstr(error.text, "line 1: a byte of zero"));
	refuse_trace("0 read 0 4096\n0 read 0", "line 2: cut off");
	refuse_trace("0 read 0 4096\n0 read 0\n", "line 2: not understood");
	refuse_trace("5 read 0 4096\n4 read 0 4096\n", "before that of the line");
	refuse_trace("0 read 0 0\n", "0 bytes");
	refuse_trace("0 read 0 2147483648\n", "more than 1 GB");
	refuse_trace("0 read 99999999999 4096\n", "beyond the device's end");
	refuse_trace("0 read 18446744073709551615 4096\n", "beyond");
	refuse_trace("0 read 99999999999999999999 4096\n", "not understood");
	refuse_trace("0 read 14974976 8192\n", "beyond");
	refuse_trace("0 look 0 4096\n", "not understood");
	refuse_trace("-1 read 0 4096\n", "not understood");
	refuse_trace("nan read 0 4096\n", "not understood");
	refuse_trace("1.2.3 read 0 4096\n", "not understood");
	refuse_trace("0 read -4096 4096\n", "not understood");
	refuse_trace("0 read 0 4096 7 8\n", "not understood");
	refuse_trace("0 read 0 4096 backend\n", "not understood");
	refuse_trace("0 flush 0 4096\n", "a flush has");
	refuse_trace("0 flush\n", "not understood");
	refuse_trace("markers\n", "not understood");
	refuse_trace("mark one\n", "without a request");
	refuse_trace("# nothing\n", "without a request");
}

/* ----- command lines ----- */

static bool
parse(const char *line, SsdsimArgs *args, SsdsimError *error)
{
	static char copy[512];
	char	   *argv[MAX_WORDS] = {(char *) "ssdsim"};
	int			argc = 1;
	char	   *rest;

	strcpy(copy, line);
	for (char *word = strtok_r(copy, " ", &rest); word != NULL;
		 word = strtok_r(NULL, " ", &rest))
		argv[argc++] = word;
	/* _ represents a blank within a word */
	for (int i = 1; i < argc; i++)
		for (char *c = argv[i]; *c != '\0'; c++)
			*c = *c == '_' ? ' ' : *c;
	return ssdsim_args_parse(argc, argv, SSDSIM_DEVICES, args, error);
}

static void
refuse_line(const char *line, const char *why)
{
	SsdsimArgs	args;
	SsdsimError error = {""};

	if (parse(line, &args, &error))
		fail_msg("\"%s\" is taken", line);
	if (strstr(error.text, why) == NULL || strchr(error.text, '\n') != NULL)
		fail_msg("\"%s\": %s", line, error.text);
}

static void
test_command_line(void **state)
{
	SsdsimArgs	args;
	SsdsimError error;

	(void) state;
	assert_true(parse("", &args, &error));
	assert_int_equal(args.load.nloops, 1);
	assert_int_equal(args.load.requests, 100000);
	assert_true(parse("--device paq --scheduler vaq --set queue_64 --depth 8"
					  " --size 8kB --read-share 50 --random 0 --region 1MB"
					  " --and --offset 1MB --size 4kB --seconds 2 --age 0.5",
					  &args, &error));
	assert_int_equal(args.spec.queue, 64);
	assert_string_equal(args.policy->name, "vaq");
	assert_int_equal(args.load.nloops, 2);
	assert_int_equal(args.load.loops[0].depth, 8);
	assert_int_equal(args.load.loops[0].length, 1 << 20);
	assert_int_equal(args.load.loops[1].first, 1 << 20);
	assert_int_equal(args.load.time, 2000000000);
	assert_true(parse("--trace - --trace-depth 4 --fresh", &args, &error));
	assert_true(args.age < 0);
	assert_true(parse("--trace x --trace-processes --trace-fold", &args,
					  &error));
	assert_true(args.trace_processes && args.trace_fold);
	assert_true(parse("--host none", &args, &error));
	assert_null(args.host);
	assert_true(parse("--help", &args, &error));
	assert_int_equal(args.action, SSDSIM_HELP);
}

static void
test_bad_command_lines(void **state)
{
	(void) state;
	refuse_line("--device no-such", "--list");
	refuse_line("--scheduler fifo", "no such scheduler");
	refuse_line("--host none --host-depth 4", "goes with --host");
	refuse_line("--read-share 0x10", "number from 0 to 100");
	refuse_line("--trace - --requests 4", "nor --requests");
	refuse_line("--burst 4", "--burst with --rate");
	refuse_line("--rate 100 --depth 3", "goes without --depth");
	refuse_line("--set _", "nothing is set");
	refuse_line("--set queue_4\nchannels_4", "more than one line");
	refuse_line("--depth 0", "whole number from 1");
	refuse_line("--depth -1", "whole number");
	refuse_line("--size 0", "at least 1 bytes");
	refuse_line("--size 2GB", "largest request is 1GB");
	refuse_line("--size 4km", "give a size");
	refuse_line("--size 99999999999GB", "give a size");
	refuse_line("--read-share 101", "from 0 to 100");
	refuse_line("--random nan", "from 0 to 100");
	refuse_line("--region 1MB --size 2MB", "larger than the region");
	refuse_line("--offset 999GB", "the device has");
	refuse_line("--region 999GB", "the device has");
	refuse_line("--set queue_0", "out of range");
	refuse_line("--set blocks_4", "--set: no free blocks");
	refuse_line("--age 2 --fresh", "--age or --fresh");
	refuse_line("--seconds 0", "give a number");
	refuse_line("--trace x --depth 4", "loops or a trace");
	refuse_line("--trace-depth 4", "loops or a trace");
	refuse_line("--trace-processes", "loops or a trace");
	refuse_line("--trace-fold", "loops or a trace");
	refuse_line("--trace x --trace-processes --trace-depth 4", "goes without");
	refuse_line("--trace x --trace-processes --age 1", "goes without");
	refuse_line("--colour", "unknown option");
	refuse_line("--depth", "needs a value");
	refuse_line("trace.txt", "is no option");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_spec),
		cmocka_unit_test(test_bad_specs),
		cmocka_unit_test(test_unfinished_specs),
		cmocka_unit_test(test_shipped_devices),
		cmocka_unit_test(test_trace),
		cmocka_unit_test(test_recorded_trace),
		cmocka_unit_test(test_bad_traces),
		cmocka_unit_test(test_command_line),
		cmocka_unit_test(test_bad_command_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
