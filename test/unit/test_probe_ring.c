/*
 * test_probe_ring.c
 *		Unit tests of the engine's ring, on a device that hangs: a pipe to
 *		which nothing is written.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "probe/load.h"

#define BYTES 4096
#define MS 1000000

static ProbeError error;
static int	device[2];			/* a pipe; tests write its answers to the
								 * second end */

/* If io_uring is forbidden, there is nothing to test. */
static void
begin(ProbeRing *ring)
{
	alarm(60);					/* fail instead of waiting forever */
	if (!ssdpar_probe_ring_open(ring, 4, BYTES, &error))
		skip();
	ring->tick.tv_nsec = MS;
	assert_int_equal(pipe(device), 0);
	ring->fd = device[0];
}

static void
end(ProbeRing *ring)
{
	ssdpar_probe_ring_close(ring);
	assert_false(ring->open);
	close(device[0]);
	close(device[1]);
	alarm(0);
}

static void
all_requests_come_back(void **state)
{
	ProbeRing	ring;

	(void) state;
	begin(&ring);
	assert_int_equal(write(device[1], "two", 2), 2);
	ssdpar_probe_ring_queue(&ring, PROBE_READ, 0, 1, 0);
	ssdpar_probe_ring_queue(&ring, PROBE_READ, 1, 1, 0);
	assert_true(ssdpar_probe_ring_drain(&ring));
	assert_int_equal(ring.busy, 0);
	assert_true(ssdpar_probe_ring_drain(&ring));
	end(&ring);
}

/* Waiting ends, and we do not wait again for what is known to hang. */
static void
a_hanging_device_is_given_up(void **state)
{
	ProbeRing	ring;
	char	   *buffer;

	(void) state;
	begin(&ring);
	assert_int_equal(write(device[1], "one", 1), 1);
	for (int slot = 0; slot < 3; slot++)
		ssdpar_probe_ring_queue(&ring, PROBE_READ, slot, 1, 0);
	buffer = ring.buffers;
	assert_false(ssdpar_probe_ring_drain(&ring));
	assert_int_equal(ring.busy, 2);
	ring.tick.tv_sec = 60;		/* another tick would outlast the alarm */
	assert_false(ssdpar_probe_ring_drain(&ring));
	end(&ring);

	/* still mapped, because the kernel may write to it later, but empty */
	assert_int_equal(buffer[0], 0);
}

/* If the device hangs after all measurements, there is no result. */
static void
a_result_of_a_device_that_hangs_is_none(void **state)
{
	static ProbeRun run;
	static char blocks[12 * BYTES];
	ProbePoint	point = {
		.operation = PROBE_READ,
		.pattern = PROBE_RANDOM,
		.request_size = BYTES,
		.queue_depth = 1,
	};
	ProbeSample sample;

	(void) state;
	begin(&run.ring);
	run.directory = "here";
	run.file_size = sizeof(blocks);
	run.deadline = UINT64_MAX;
	run.error = &error;

	/* one for the ramp, eight for a sample, and no more */
	assert_int_equal(write(device[1], blocks, 9 * BYTES), 9 * BYTES);
	assert_false(ssdpar_probe_measure(&run, &point, 0, 0.5, &sample));
	assert_int_equal(error.kind, PROBE_TOO_SLOW);
	assert_non_null(strstr(error.message, "\"here\" hangs: 1 requests"));
	end(&run.ring);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_requests_come_back),
		cmocka_unit_test(a_hanging_device_is_given_up),
		cmocka_unit_test(a_result_of_a_device_that_hangs_is_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
