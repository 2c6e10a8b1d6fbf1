/*
 * test_dispatch_slots.c
 *		Unit tests of how devices share the slots of the daemon's reader, which
 *		is simulated and reads nothing.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "daemon/dispatch.h"
#include "daemon/session.h"

#define PAGE 8192
#define PAGES 3000

static SsdpardState world;
static SsdpardDispatch dispatch;
static SsdpardFile *files[2];	/* one per device */
static int	begun[2];			/* reads of them */
static int	ended[SSDPARD_SLOTS];	/* slots whose reads have completed */
static int	nended;
static int	ready;				/* the last of these, ready to be taken */

uint32_t
ssdpard_session_process(const void *owner)
{
	(void) owner;
	return 0;
}

void
ssdpard_session_was_read(void *owner, uint32_t bytes)
{
	(void) owner;
	(void) bytes;
}

static void
finished(void *owner, void *file, SsdpardOutcome outcome)
{
	(void) owner;
	(void) file;
	(void) outcome;
}

static void
queue(SsdpardReader *reader, int slot, int fd, uint64_t offset, uint32_t length)
{
	(void) reader;
	(void) slot;
	(void) offset;
	(void) length;
	begun[fd == files[1]->fd]++;
}

static bool
submit(SsdpardReader *reader)
{
	(void) reader;
	return true;
}

/* Like kernels since 6.13: returns no more than this number at a time. */
static void
gather(SsdpardReader *reader)
{
	(void) reader;
	ready = nended < 20 ? nended : 20;
}

static bool
take(SsdpardReader *reader, int *slot, int *result)
{
	(void) reader;
	if (ready == 0)
		return false;
	ready--;
	*slot = ended[--nended];
	*result = PAGE;
	return true;
}

static void
ask_all(SsdpardClient *client, int which)
{
	for (int i = 0; i < PAGES; i++)
	{
		SsdpardRangeSpec spec = {
			.device = files[which]->device,
			.class = SSDPARD_RANDOM,
			.file = files[which],
			.offset = (uint64_t) i * PAGE,
			.length = PAGE,
		};

		assert_true(ssdpard_scheduler_add(world.scheduler, client, &spec, 0));
	}
}

static void
end_read(int slot)
{
	ended[nended++] = slot;
	ssdpard_dispatch_collect(&dispatch);
}

/* Completes all reads at once, as if the daemon had not run meanwhile. */
static void
end_all_reads(void)
{
	for (int i = 0; i < SSDPARD_SLOTS; i++)
		ended[nended++] = i;
	ssdpard_dispatch_collect(&dispatch);
	assert_int_equal(nended, 0);
}

/*
 * One device has all slots when the other arrives; then both get some of those
 * that become free.  Completed reads are collected immediately, no matter how
 * few the kernel returns at a time, because it does not signal the rest.
 */
static void
no_device_keeps_all_slots(void **state)
{
	static const SsdpardReaderMethod method = {
		.queue = queue,
		.submit = submit,
		.gather = gather,
		.take = take,
	};
	SsdpardReader reader = {.method = &method, .tells_cached = true};
	SsdpardRules rules = {
		.max_ranges = 4 * PAGES,
		.max_request_bytes = PAGE,
		.depth = SSDPARD_SLOTS,
		.random_deadline = 1,
		.sequential_deadline = 1,
	};
	SsdpardClient *clients[2];
	char		path[] = "/tmp/test_dispatch.XXXXXX";
	int			fd = mkstemp(path);
	int			device;

	(void) state;
	assert_int_equal(ftruncate(fd, PAGES * PAGE), 0);
	world.scheduler = ssdpard_scheduler_create(&rules, finished, NULL);
	world.reader = &reader;
	world.turn = 1;
	ssdpard_files_init(&world.files);
	world.files.max_open = 2;
	ssdpard_dispatch_init(&dispatch, &world);
	for (int i = 0; i < 2; i++)
	{
		clients[i] = ssdpard_scheduler_add_client(world.scheduler, 0, NULL);
		device = ssdpard_scheduler_device(world.scheduler, (uint64_t) i + 1);
		files[i] = ssdpard_file_add(&world.files, dup(fd), device, 0);
	}

	ask_all(clients[0], 0);
	ssdpard_dispatch_start(&dispatch);
	ssdpard_dispatch_start(&dispatch);
	assert_int_equal(begun[0], SSDPARD_SLOTS);
	ask_all(clients[1], 1);
	for (int i = 0; i < 64; i++)
	{
		end_read(i);
		ssdpard_dispatch_start(&dispatch);
		ssdpard_dispatch_start(&dispatch);
	}
	assert_int_equal(begun[0] - SSDPARD_SLOTS, 32);
	assert_int_equal(begun[1], 32);

	for (int i = 0; i < 2; i++)
		ssdpard_scheduler_drop_client(world.scheduler, clients[i]);
	end_all_reads();
	for (int i = 0; i < 2; i++)
	{
		ssdpard_client_free(clients[i]);
		ssdpard_file_release(&world.files, files[i]);
	}
	ssdpard_scheduler_free(world.scheduler);
	close(fd);
	unlink(path);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_device_keeps_all_slots),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
