/*
 * test_ssdsim_layout.c
 *		Paper 000, sections 6.4 and 6.5: the cost of a layout that leaves
 *		channels (its domains) unused, Figures 7 to 9.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "ssdsim_device.h"
#include "ssdsim_policy.h"
#include "ssdsim_random.h"

#define PAGE 4096
#define DOMAINS 10
#define REQUESTS 8000
#define SPACE 16384				/* pages that are read, 64 MB */
#define ANYWHERE UINT64_MAX		/* a stride: random pages */

/* Programs that keep DEPTH reads of a page outstanding. */
typedef struct Readers
{
	SsdsimDevice *device;
	int			depth;
	uint64_t	stride;			/* between the pages of random reads; 0:
								 * sequential */
	uint64_t	random;
	uint64_t	issued;
	int64_t		time;
	double		waited;			/* sum of response times */
} Readers;

static void
ask(Readers *readers, SsdsimRequest *request, int64_t now)
{
	uint64_t	turn = readers->issued++;
	uint64_t	page = turn % SPACE;

	/* across the channels, or on one of them */
	if (readers->stride == ANYWHERE)
		page = ssdsim_random_below(&readers->random, SPACE);
	else if (readers->stride > 0)
		page = ssdsim_random_below(&readers->random, SPACE / DOMAINS) *
			DOMAINS + (turn * readers->stride) % DOMAINS;
	*request = (SsdsimRequest)
	{
		.kind = SSDSIM_READ, .address = page * PAGE, .bytes = PAGE
	};
	ssdsim_device_submit(readers->device, request, now);
}

static void
next(void *argument, SsdsimRequest *request, int64_t now)
{
	Readers    *readers = argument;

	readers->time = now;
	readers->waited += (double) (now - request->arrived);
	if (readers->issued < REQUESTS)
		ask(readers, request, now);
}

/* Writes the space to this number of domains, with other data in between. */
static void
lay_out(SsdsimDevice *device, int domains)
{
	uint64_t	junk = SPACE;

	for (uint64_t page = 0; page < SPACE; page++)
	{
		ssdsim_device_fill(device, page, page + 1);
		for (int i = 1; i < DOMAINS / domains; i++, junk++)
			ssdsim_device_fill(device, junk, junk + 1);
	}
}

static Readers
read_all(int domains, int depth, uint64_t stride)
{
	SsdsimRequest *requests = calloc((size_t) depth, sizeof(*requests));
	Readers		readers = {.depth = depth, .stride = stride, .random = 1};
	SsdsimSpec	spec;
	SsdsimError error;

	assert_non_null(requests);
	if (!ssdsim_spec_load("ssd-s", SSDSIM_DEVICES, &spec, &error))
		fail_msg("%s", error.text);
	readers.device = ssdsim_device_new(&spec, ssdsim_policy_find("noop"), 1,
									   next, &readers);
	lay_out(readers.device, domains);
	for (int i = 0; i < depth; i++)
		ask(&readers, &requests[i], 0);
	while (ssdsim_device_next(readers.device) != SSDSIM_NEVER)
		ssdsim_device_step(readers.device);
	ssdsim_device_free(readers.device);
	free(requests);
	return readers;
}

static double
response_ms(int depth, uint64_t stride)
{
	return read_all(DOMAINS, depth, stride).waited / REQUESTS / 1e6;
}

static double
sequential_mb(int domains, int depth)
{
	return (double) REQUESTS * PAGE / 1e6 /
		((double) read_all(domains, depth, 0).time / 1e9);
}

/*
 * Figure 7: random reads of one domain and of ten.  At depth 32, 3 ms and 0.7
 * ms; at depth 1 there is no difference.
 */
static void
test_figure_7(void **state)
{
	double		one = response_ms(32, DOMAINS);
	double		ten = response_ms(32, 1);

	(void) state;
	assert_true(one > 3 * 0.8 && one < 3 * 1.2);
	assert_true(ten > 0.7 * 0.7 && ten < 0.7 * 1.3);
	assert_true(response_ms(1, DOMAINS) < 1.1 * response_ms(1, 1));
}

/*
 * Figure 8: sequential reads of data on fewer and fewer domains, with
 * read-ahead.  Eight concurrent reads lose more than one.
 */
static void
test_figure_8(void **state)
{
	double		lost[2];

	(void) state;
	for (int i = 0; i < 2; i++)
	{
		int			depth = i == 0 ? 1 : 8;
		double		ten = sequential_mb(10, depth);
		double		two = sequential_mb(2, depth);
		double		one = sequential_mb(1, depth);

		assert_true(ten >= two && two > one);
		lost[i] = ten / one;
	}
	assert_true(lost[0] > 1.5 && lost[1] > lost[0]);
	assert_true(lost[1] > 2.9 * 0.7);
}

/* Figure 9: of those eight, a read of one domain takes over 700 us. */
static void
test_figure_9(void **state)
{
	double		one = read_all(1, 8, 0).waited / REQUESTS / 1e3;
	double		ten = read_all(10, 8, 0).waited / REQUESTS / 1e3;

	(void) state;
	assert_true(one > 700 && one < 1000);
	assert_true(ten < 400);
}

/*
 * The gain if a reader knew the domains and read random pages with alternating
 * domains: a little with eight reads outstanding, nothing at the depth that
 * saturates the device, sixteen.
 */
static void
test_order_of_a_list(void **state)
{
	double		few = (double) read_all(DOMAINS, 8, ANYWHERE).time /
		(double) read_all(DOMAINS, 8, 1).time;
	double		many = (double) read_all(DOMAINS, 16, ANYWHERE).time /
		(double) read_all(DOMAINS, 16, 1).time;

	(void) state;
	assert_true(few > 1.05 && few < 1.2);
	assert_true(many > 0.98 && many < 1.02);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_figure_7),
		cmocka_unit_test(test_figure_8),
		cmocka_unit_test(test_figure_9),
		cmocka_unit_test(test_order_of_a_list),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
