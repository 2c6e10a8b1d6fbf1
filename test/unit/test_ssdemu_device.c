/*
 * test_ssdemu_device.c
 *		The emulated device under the test's own clock: a program that keeps
 *		requests outstanding gets the rate that ssdsim predicts for the device,
 *		no matter how long the way through the kernel is.
 *
 * The clock advances only to the next event, so other load on the machine does
 * not matter; bench/ssdemu-agreement measures that.
 */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "bench/ssdsim/ssdsim_load.h"
#include "bench/ssdsim/ssdsim_policy.h"
#include "ssdemu_device.h"

#define REQUESTS 4000
#define MAX_OUTSTANDING 64
#define MB (UINT64_C(1) << 20)

/* A program that makes one request after another. */
typedef struct Program
{
	SsdsimChooser chooser;
	int64_t		next;			/* time of its next request; SSDSIM_NEVER: it
								 * waits */
} Program;

typedef struct Machine
{
	SsdemuDevice *device;
	int64_t		transport;
	int64_t		now;
	int64_t		wake;
	int64_t		last;			/* answer that a program got */
	uint64_t	bytes;
	Program		programs[MAX_OUTSTANDING];
	int			nprograms;
} Machine;

/* The program makes its next request when the answer has passed the kernel. */
static void
answer(void *argument, void *owner, int64_t when)
{
	Machine    *machine = argument;
	Program    *program = owner;

	if (when < machine->now)
		when = machine->now;
	program->next = when + machine->transport;
	if (program->next > machine->last)
		machine->last = program->next;
}

static void
keep_wake(Machine *machine, int64_t wake)
{
	if (wake < machine->wake)
		machine->wake = wake;
}

static void
submit(Machine *machine, Program *program, uint64_t *random)
{
	SsdsimRequest request;
	int64_t		wake;

	ssdsim_choose(&program->chooser, random, &request);
	program->next = SSDSIM_NEVER;
	machine->bytes += request.bytes;
	assert_int_equal(ssdemu_device_submit(machine->device, request.kind,
										  request.address,
										  (uint32_t) request.bytes,
										  machine->now, program, &wake), 0);
	keep_wake(machine, wake);
}

/* Handles the next event: a program's request, or one of the device. */
static void
step(Machine *machine, uint64_t *random)
{
	Program    *first = &machine->programs[0];

	for (int i = 1; i < machine->nprograms; i++)
		if (machine->programs[i].next < first->next)
			first = &machine->programs[i];
	if (machine->wake <= first->next)
	{
		assert_true(machine->wake < SSDSIM_NEVER);
		machine->now = machine->wake;
		machine->wake = SSDSIM_NEVER;
		keep_wake(machine, ssdemu_device_run(machine->device, machine->now));
		return;
	}
	machine->now = first->next > machine->now ? first->next : machine->now;
	submit(machine, first, random);
}

/* MB/s of loops through ssdemu's device. */
static double
emulated(const SsdsimSpec *spec, const SsdsimLoad *load, int64_t transport)
{
	Machine		machine = {.transport = transport, .wake = SSDSIM_NEVER};
	SsdemuDeviceSpec device = {
		.name = "test", .spec = *spec, .policy = ssdsim_policy_at(0),
		.seed = 1
	};
	uint64_t	random = 1;
	int64_t		begin = 1000000000;

	machine.now = begin;
	machine.device = ssdemu_device_new(&device, answer, &machine);
	assert_non_null(machine.device);
	ssdemu_device_set_transport(machine.device, transport);
	for (int i = 0; i < load->nloops; i++)
		for (int64_t j = 0; j < load->loops[i].depth; j++)
			machine.programs[machine.nprograms++] = (Program)
		{
			.chooser.loop = &load->loops[i], .next = begin
		};
	for (int i = 0; i < REQUESTS;)
	{
		uint64_t	before = machine.bytes;

		step(&machine, &random);
		i += machine.bytes > before;
	}
	ssdemu_device_end(machine.device);
	ssdemu_device_free(machine.device);
	return (double) machine.bytes / 1e6 /
		((double) (machine.last - begin) / 1e9);
}

static double
simulated(const SsdsimSpec *spec, const SsdsimLoad *load)
{
	static SsdsimRun run;

	ssdsim_run_begin(&run, spec, ssdsim_policy_at(0), 1, 0);
	ssdsim_load_run(load, &run);
	return (double) run.result.bytes / 1e6 /
		((double) run.result.time / 1e9);
}

/* What bench/ssdemu-agreement measures, in 64 MB. */
static const struct
{
	const char *name;
	double		read_share;
	double		random;
	uint64_t	bytes;
	int64_t		depth;
	bool		long_enough;	/* to hide a long way through the kernel */
}			points[] = {
	{"random reads of 4 kB, depth 1", 1, 1, 4096, 1, true},
	{"random reads of 4 kB, depth 8", 1, 1, 4096, 8, true},
	{"random reads of 4 kB, depth 32", 1, 1, 4096, 32, true},
	{"random reads of 16 kB, depth 1", 1, 1, 16384, 1, true},
	{"random reads of 16 kB, depth 32", 1, 1, 16384, 32, true},
	{"reads of 4 kB in order", 1, 0, 4096, 1, false},
	{"reads of 64 kB in order", 1, 0, 65536, 1, true},
	{"writes of 4 kB in order", 0, 0, 4096, 1, false},
	{"random writes of 4 kB", 0, 1, 4096, 1, false},
	{"random writes of 4 kB, depth 32", 0, 1, 4096, 32, true},
	{"both of 4 kB, depth 4", 0.5, 1, 4096, 4, true},
};

/* Through ssdemu's device as through ssdsim's, within PART. */
static void
compare(const char *device, int64_t transport, double part)
{
	SsdsimSpec	spec;
	SsdsimError error;

	/* fewer pages are filled faster, and nothing else changes */
	if (!ssdsim_spec_load(device, SSDSIM_DEVICES, &spec, &error) ||
		(!spec.mechanical && !ssdsim_spec_set(&spec, "pages 16", &error)))
		fail_msg("%s", error.text);
	for (size_t i = 0; i < sizeof(points) / sizeof(*points); i++)
	{
		SsdsimLoad	load = {
			.requests = REQUESTS, .time = SSDSIM_NEVER, .seed = 1,
			.nloops = 1, .loops = {{.depth = points[i].depth,
					.read_share = points[i].read_share, .random_share =
					{points[i].random, points[i].random},
			.bytes = points[i].bytes, .length = 64 * MB}}
		};
		double		ratio;

		if (transport > 0 && !points[i].long_enough)
			continue;
		ratio = emulated(&spec, &load, transport) / simulated(&spec, &load);
		if (ratio < 1 - part || ratio > 1 + part)
			fail_msg("%s, %s: %.3f of ssdsim's", device, points[i].name,
					 ratio);
	}
}

static void
test_as_simulated(void **state)
{
	(void) state;
	compare("ssd-s", 0, 0.05);
	compare("ssd-m", 0, 0.05);
	compare("s3700", 0, 0.05);
	compare("hdd", 0, 0.05);
	/* 9 us per request, which is how far it is ahead */
	compare("nvme", 0, 0.15);
}

/* The time for the way through the kernel is subtracted. */
static void
test_transport(void **state)
{
	(void) state;
	compare("ssd-s", 20000, 0.05);
	compare("ssd-s", 40000, 0.05);
	compare("ssd-m", 40000, 0.05);
}

/* A device on which each fault and each counter can be observed. */
typedef struct Asked
{
	int			answers;
	int64_t		when;
} Asked;

static void
keep_answer(void *argument, void *owner, int64_t when)
{
	Asked	   *asked = owner;

	(void) argument;
	asked->answers++;
	asked->when = when;
}

static SsdemuDevice *
new_device(double age)
{
	SsdemuDeviceSpec spec = {
		.name = "small", .policy = ssdsim_policy_at(0), .seed = 5, .age = age
	};
	SsdsimError error;

	if (!ssdsim_spec_load("ssd-s", SSDSIM_DEVICES, &spec.spec, &error) ||
		!ssdsim_spec_set(&spec.spec, "blocks 40", &error))
		fail_msg("%s", error.text);
	return ssdemu_device_new(&spec, keep_answer, NULL);
}

static int64_t
statistic(SsdemuDevice *device, const char *name)
{
	char		text[4096];
	const char *at;

	assert_true(ssdemu_device_print_stats(device, text, sizeof(text)) > 0);
	at = strstr(text, name);
	assert_non_null(at);
	return atoll(at + strlen(name));
}

static void
test_faults(void **state)
{
	SsdemuDevice *device = new_device(0);
	Asked		asked[2] = {{0, 0}, {0, 0}};
	int64_t		wake;

	(void) state;
	assert_int_equal(ssdemu_device_fault(device, SSDSIM_READ), 0);
	assert_true(ssdemu_device_command(device, "spike 1 500\neio read 1"));
	assert_int_equal(ssdemu_device_fault(device, SSDSIM_READ), EIO);
	for (int i = 0; i < 2; i++)
	{
		assert_int_equal(ssdemu_device_submit(device, SSDSIM_READ, 4096, 4096,
											  i * 1000000, &asked[i], &wake),
						 0);
		assert_true(wake > i * 1000000 && wake < i * 1000000 + 200000);
		while (wake != SSDSIM_NEVER)
			wake = ssdemu_device_run(device, wake);
		assert_int_equal(asked[i].answers, 1);
		assert_true(ssdemu_device_command(device, "reset"));
	}
	/* the same read, except for the fault */
	assert_int_equal(asked[0].when + 1000000 - asked[1].when, 500000);
	assert_int_equal(statistic(device, "errors_injected "), 1);
	assert_int_equal(statistic(device, "spikes_injected "), 1);
	assert_int_equal(statistic(device, "read_bytes "), 8192);
	ssdemu_device_free(device);
}

/* At the end, everything is answered, and no wakeup is pending. */
static void
test_end(void **state)
{
	SsdemuDevice *device = new_device(2);
	Asked		asked = {0, 0};
	int64_t		wake;

	(void) state;
	for (uint64_t i = 0; i < 3000; i++)
		ssdemu_device_submit(device, SSDSIM_WRITE, i * 7 % 5000 * 4096, 4096,
							 1000, &asked, &wake);
	ssdemu_device_submit(device, SSDSIM_FLUSH, 0, 0, 1000, &asked, &wake);
	ssdemu_device_end(device);
	assert_int_equal(asked.answers, 3001);
	assert_true(ssdemu_device_run(device, 2000) == SSDSIM_NEVER);
	assert_int_equal(statistic(device, "flushes "), 1);
	assert_int_equal(statistic(device, "pages_programmed "), 3000);
	assert_true(statistic(device, "pages_moved ") > 0);
	assert_int_equal(statistic(device, "most_outstanding "), 32);
	ssdemu_device_free(device);
}

/* Files are on pages all over the device, the same ones for the same seed. */
static void
test_places(void **state)
{
	SsdemuDevice *device = new_device(0);
	uint64_t	capacity = ssdsim_spec_capacity(&device->spec.spec);
	int			low = 0;

	(void) state;
	for (uint64_t file = 0; file < 1000; file++)
	{
		uint64_t	place = ssdemu_device_place(device, file);

		assert_true(place < capacity && place % 4096 == 0);
		assert_int_equal(place, ssdemu_device_place(device, file));
		low += place < capacity / 2;
	}
	assert_in_range(low, 400, 600);
	assert_int_equal(ssdsim_spec_fold(&device->spec.spec, capacity - 4096,
									  8192), capacity - 8192);
	ssdemu_device_free(device);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_as_simulated),
		cmocka_unit_test(test_transport),
		cmocka_unit_test(test_faults),
		cmocka_unit_test(test_end),
		cmocka_unit_test(test_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
