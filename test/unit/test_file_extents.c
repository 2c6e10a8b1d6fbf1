/*
 * test_file_extents.c
 *		Where a file lies, by what the file system says of it, or made of its
 *		own offsets where it says nothing.
 *
 * links: daemon/extents.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>
#include <linux/falloc.h>

#include <cmocka.h>

#include "daemon/extents.h"
#include "daemon/zones.h"

#define PAGE 4096
#define PAGES 1024

/* A file without a name, written and on the device. */
static int
make_file(const char *folder)
{
	char		page[PAGE];
	int			fd = open(folder, O_TMPFILE | O_RDWR, 0600);

	if (fd < 0)
		return -1;
	memset(page, 1, sizeof(page));
	for (int i = 0; i < PAGES; i++)
		assert_int_equal(write(fd, page, PAGE), PAGE);
	assert_int_equal(fsync(fd), 0);
	return fd;
}

static void
expect_known(const SsdpardExtents *extents, uint64_t page)
{
	uint64_t	address = ssdpard_extents_address(extents, page * PAGE);

	assert_true(address != SSDPARD_NOWHERE);
	assert_int_equal(ssdpard_extents_address(extents, page * PAGE + 512),
					 address + 512);
}

static void
a_file_lies_somewhere(void **state)
{
	int			fd = make_file("/var/tmp");
	SsdpardExtents *extents;

	(void) state;
	if (fd < 0)
		skip();
	extents = ssdpard_extents_look(NULL, fd, PAGES * PAGE, 7);
	assert_non_null(extents);
	assert_int_equal(extents->looked, 7);
	for (uint64_t page = 0; page < PAGES; page++)
		expect_known(extents, page);
	if (extents->own == 0)
		assert_int_equal(ssdpard_extents_address(extents, PAGES * PAGE),
						 SSDPARD_NOWHERE);
	free(extents);
	close(fd);
}

/* More pieces than are kept: the first ones are known, holes are nowhere. */
static void
pieces_are_bounded(void **state)
{
	int			fd = make_file("/var/tmp");
	SsdpardExtents *extents;

	(void) state;
	if (fd < 0)
		skip();
	for (int i = 1; i < PAGES; i += 2)
		if (fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
					  (off_t) i * PAGE, PAGE) != 0)
			skip();
	assert_int_equal(fsync(fd), 0);
	extents = ssdpard_extents_look(NULL, fd, PAGES * PAGE, 0);
	assert_non_null(extents);
	if (extents->own == 0)
	{
		assert_int_equal(extents->count, SSDPARD_MOST_EXTENTS);
		for (uint64_t i = 0; i < SSDPARD_MOST_EXTENTS; i++)
		{
			expect_known(extents, 2 * i);
			assert_int_equal(ssdpard_extents_address(extents,
													 (2 * i + 1) * PAGE),
							 SSDPARD_NOWHERE);
		}
		assert_int_equal(ssdpard_extents_address(extents, (PAGES - 2) * PAGE),
						 SSDPARD_NOWHERE);
	}
	/* made anew in place, from the beginning */
	assert_ptr_equal(ssdpard_extents_look(extents, fd, PAGES * PAGE, 1),
					 extents);
	expect_known(extents, 0);
	free(extents);
	close(fd);
}

/* tmpfs knows no extents: the file's own offsets, for each file its own. */
static void
own_offsets_are_used(void **state)
{
	int			fd = make_file("/dev/shm");
	int			other = make_file("/dev/shm");
	SsdpardExtents *extents;
	SsdpardExtents *others;

	(void) state;
	if (fd < 0 || other < 0)
		skip();
	extents = ssdpard_extents_look(NULL, fd, PAGES * PAGE, 0);
	others = ssdpard_extents_look(NULL, other, PAGES * PAGE, 0);
	if (extents->own == 0)
		skip();
	assert_int_equal(ssdpard_extents_address(extents, 100 * PAGE) -
					 ssdpard_extents_address(extents, 0), 100 * PAGE);
	assert_true(ssdpard_extents_address(extents, 0) !=
				ssdpard_extents_address(others, 0));
	free(extents);
	free(others);
	close(fd);
	close(other);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_file_lies_somewhere),
		cmocka_unit_test(pieces_are_bounded),
		cmocka_unit_test(own_offsets_are_used),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
