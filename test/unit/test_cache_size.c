/*
 * test_cache_size.c
 *		Unit tests of src/device/cache_size.c, on files like a kernel's.
 *
 * links: test/unit/kernel_files.c src/device/cache_size.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "device/cache_size.h"

#include "kernel_files.h"

#define MB ((size_t) 1 << 20)
#define ENOUGH SIZE_MAX

/* Creates the cache with this number and size. */
static void
put(int number, const char *size)
{
	char		path[64];

	snprintf(path, sizeof(path),
			 "sys/devices/system/cpu/cpu0/cache/index%d/size", number);
	kernel_files_put(path, size);
}

static void
test_largest(void **state)
{
	(void) state;
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 0);
	put(0, "48K");
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 48 * 1024);
	put(1, "98304K");
	put(2, "1024K");
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 96 * MB);
	put(4, "999999K");			/* not found, because there is no 3 */
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 96 * MB);
}

static void
test_nonsense(void **state)
{
	(void) state;
	put(0, "large");
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 0);
	put(0, "64");
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 0);
	put(0, "18446744073709551615K");
	assert_int_equal(ssdpar_largest_cache(kernel_files_root), 0);
}

static void
test_area(void **state)
{
	(void) state;
	assert_int_equal(ssdpar_area_past_cache(0, ENOUGH), 64 * MB);
	assert_int_equal(ssdpar_area_past_cache(16 * MB, ENOUGH), 64 * MB);
	assert_int_equal(ssdpar_area_past_cache(16 * MB + 1, ENOUGH), 128 * MB);
	assert_int_equal(ssdpar_area_past_cache(32 * MB, ENOUGH), 128 * MB);
	assert_int_equal(ssdpar_area_past_cache(96 * MB, ENOUGH), 512 * MB);
	assert_int_equal(ssdpar_area_past_cache(504 * MB, ENOUGH), 512 * MB);
	assert_int_equal(ssdpar_area_past_cache(SIZE_MAX, ENOUGH), 512 * MB);
}

static void
test_area_of_little_memory(void **state)
{
	(void) state;
	assert_int_equal(ssdpar_area_past_cache(96 * MB, 0), 64 * MB);
	assert_int_equal(ssdpar_area_past_cache(96 * MB, 127 * MB), 64 * MB);
	assert_int_equal(ssdpar_area_past_cache(96 * MB, 128 * MB), 128 * MB);
	assert_int_equal(ssdpar_area_past_cache(96 * MB, 300 * MB), 256 * MB);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_largest, kernel_files_begin,
										kernel_files_end),
		cmocka_unit_test_setup_teardown(test_nonsense, kernel_files_begin,
										kernel_files_end),
		cmocka_unit_test(test_area),
		cmocka_unit_test(test_area_of_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
