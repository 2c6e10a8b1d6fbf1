/*
 * test_sessions_pairs.c
 *		Figure 12 on virtual time: concurrent readers and writers under the
 *		daemon's own scheduler, compared with recorded times.
 *
 * A pair that takes 5 % longer than recorded fails.  If a change does that on
 * purpose, or makes pairs faster, record the times again:
 *
 *	(bench/ssdsim/ssdsim-sessions --device nvme;
 *	 bench/ssdsim/ssdsim-sessions --device s3700 | tail -n +2) \
 *		>bench/ssdsim/sessions/recorded.csv
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "ssdsim_partitions.h"
#include "ssdsim_recorded.h"
#include "ssdsim_shards.h"

/*
 * Number of recorded pairs that are worse under these rules, with their lines.
 */
static int
worse_under(const SsdpardRules *rules, char *lines, size_t size)
{
	FILE	   *recorded = fopen(SSDSIM_RECORDED, "r");
	FILE	   *report = fmemopen(lines, size, "w");
	SsdsimError error;
	int			worse;

	assert_non_null(recorded);
	assert_non_null(report);
	worse = ssdsim_recorded_compare(recorded, SSDSIM_RECORDED,
									SSDSIM_DEVICES, rules, report, &error);
	fclose(report);
	fclose(recorded);
	return worse;
}

static void
no_pair_is_worse(void **state)
{
	char		lines[8192] = "";
	int			worse = worse_under(&ssdsim_ssdpard_usual, lines,
									sizeof(lines));

	(void) state;
	if (worse != 0)
		print_error("%s", lines);
	assert_int_equal(worse, 0);
}

/* A daemon without a limit for outstanding requests. */
static void
a_flood_is_seen(void **state)
{
	SsdpardRules rules = ssdsim_ssdpard_usual;
	char		lines[8192] = "";

	(void) state;
	rules.depth = 1024;
	assert_true(worse_under(&rules, lines, sizeof(lines)) > 0);
	assert_non_null(strstr(lines, "worse: s3700, PM beside QS"));
	assert_non_null(strstr(lines, "worse: s3700, PB beside QS"));
}

/* A daemon that hardly reads ahead. */
static void
a_shallow_daemon_is_seen(void **state)
{
	SsdpardRules rules = ssdsim_ssdpard_usual;
	char		lines[8192] = "";

	(void) state;
	rules.depth = 4;
	assert_true(worse_under(&rules, lines, sizeof(lines)) > 0);
	assert_non_null(strstr(lines, "worse: nvme, QR beside alone"));
}

static SsdsimPairResult
run(const char *target, const char *beside, const SsdpardRules *rules)
{
	SsdsimSpec	spec;
	SsdsimError error;
	SsdsimPair	pair = {
		.target = ssdsim_work_find(target),
		.beside = ssdsim_work_find(beside), .rules = rules, .depth = 64
	};

	assert_true(ssdsim_spec_load("nvme", SSDSIM_DEVICES, &spec, &error));
	return ssdsim_pair_run(&spec, &pair);
}

static void
the_same_pair_takes_the_same_time(void **state)
{
	(void) state;
	assert_int_equal(run("QR", "PM", &ssdsim_ssdpard_usual).time,
					 run("QR", "PM", &ssdsim_ssdpard_usual).time);
}

/* Each page of a table is read once, by one of the readers. */
static void
a_scan_reads_its_table_once(void **state)
{
	uint64_t	bytes = ssdsim_work_find("QS")->table * SSDSIM_BLOCK;

	(void) state;
	assert_int_equal(run("QS", "", &ssdsim_ssdpard_usual).bytes_read, bytes);
	assert_int_equal(run("QS", "", NULL).bytes_read, bytes);
}

static void
reading_ahead_saves_time(void **state)
{
	(void) state;
	assert_true(run("QS", "", &ssdsim_ssdpard_usual).time <
				run("QS", "", NULL).time);
	assert_true(run("QR", "", &ssdsim_ssdpard_usual).time <
				run("QR", "", NULL).time / 2);
	assert_int_equal(run("QR", "", &ssdsim_ssdpard_usual).deepest, 64);
}

/* On a device that one scan keeps busy; MAY_LOSE < 0: unprotected. */
static double
time_of(const char *target, const char *beside, double may_lose)
{
	SsdsimSpec	spec;
	SsdsimError error;
	SsdsimPair	pair = {
		.target = ssdsim_work_find(target),
		.beside = ssdsim_work_find(beside), .rules = &ssdsim_ssdpard_usual,
		.depth = 32, .protects = may_lose >= 0, .may_lose = may_lose
	};

	assert_true(ssdsim_spec_load("s3700", SSDSIM_DEVICES, &spec, &error));
	return (double) ssdsim_pair_run(&spec, &pair).time;
}

/*
 * Under ssdpar.write_protection, no matter whether the server's processes
 * write or others, of which only flushes are visible; readers still make
 * progress.
 */
static void
who_writes_is_protected(void **state)
{
	static const char *const writers[] = {"PB", "PM"};

	(void) state;
	for (int i = 0; i < 2; i++)
	{
		const char *writer = writers[i];
		double		alone = time_of(writer, "", -1);

		assert_true(time_of(writer, "QS", -1) > 3 * alone);
		assert_true(time_of(writer, "QS", 0.25) < 2 * alone);
		assert_true(time_of(writer, "QS", 0) < 1.35 * alone);
		assert_true(time_of("QS", writer, 0.25) <
					time_of("QS", "", -1) / 0.8);
		assert_true(time_of("QS", writer, 0) < time_of("QS", "", -1) / 0.7);
		assert_true(time_of("QR", writer, 0.25) <
					time_of("QR", "", -1) / 0.8);
	}
}

static void
protection_costs_nothing_beside_readers(void **state)
{
	(void) state;
	assert_true(time_of("QS", "", 0) == time_of("QS", "", -1));
	assert_true(time_of("QR", "", 0) == time_of("QR", "", -1));
	assert_true(time_of("QR", "QS", 0) < 1.01 * time_of("QR", "QS", -1));
}

/* Each device has its own queue and depth. */
static void
devices_work_side_by_side(void **state)
{
	SsdsimSpec	spec;
	SsdsimError error;
	double		one;

	(void) state;
	assert_true(ssdsim_spec_load("s3700", SSDSIM_DEVICES, &spec, &error));
	one = (double) ssdsim_partitions_scan(&spec, 1, 64);
	assert_true(one / (double) ssdsim_partitions_scan(&spec, 2, 64) > 1.9);
	assert_true(one / (double) ssdsim_partitions_scan(&spec, 4, 64) > 3.6);
}

/* An assumption of the model for many shards. */
static void
shards_divide_the_pages(void **state)
{
	SsdsimSpec	spec;
	SsdsimError error;
	double		one;

	(void) state;
	assert_true(ssdsim_spec_load("s3700", SSDSIM_DEVICES, &spec, &error));
	one = (double) ssdsim_shards_read(&spec, 1, 20000, 64);
	for (int shards = 2; shards <= SSDSIM_MOST_SHARDS; shards *= 2)
	{
		double		time =
			(double) ssdsim_shards_read(&spec, shards, 20000, 64);

		assert_true(time >= 0.95 * one / shards);
		assert_true(time < 1.2 * one / shards);
	}
}

static void
records_that_make_no_sense(void **state)
{
	static const char *const files[] = {
		"", "device,mode,target,co_runner,microseconds\n", "nvme,daemon,QS\n",
		"nvme,daemon,QX,alone,1\nnvme,daemon,QX,alone,1\n",
		"nvme,daemon,QS,nobody,1\nx\n", "nvme,slow,QS,alone,1\nx\n",
		"nodevice,daemon,QS,alone,1\nx\n",
		"nvme,daemon,QS,alone,nan\n", "nvme,daemon,QS,alone,-5\n",
		"nvme,daemon,QS,alone,0\n", "nvme,daemon,QS,alone,1000 or so\n",
	};
	SsdsimError error;

	(void) state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++)
	{
		FILE	   *file = tmpfile();

		fputs(files[i], file);
		rewind(file);
		assert_int_equal(ssdsim_recorded_compare(file, "f", SSDSIM_DEVICES,
												 &ssdsim_ssdpard_usual,
												 stderr, &error), -1);
		fclose(file);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_pair_is_worse),
		cmocka_unit_test(a_flood_is_seen),
		cmocka_unit_test(a_shallow_daemon_is_seen),
		cmocka_unit_test(the_same_pair_takes_the_same_time),
		cmocka_unit_test(a_scan_reads_its_table_once),
		cmocka_unit_test(reading_ahead_saves_time),
		cmocka_unit_test(who_writes_is_protected),
		cmocka_unit_test(protection_costs_nothing_beside_readers),
		cmocka_unit_test(devices_work_side_by_side),
		cmocka_unit_test(shards_divide_the_pages),
		cmocka_unit_test(records_that_make_no_sense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
