/*
 * test_cache_size.c
 *		Unit tests of src/device/cache_size.c, over files as a kernel has them.
 *
 * links: src/device/cache_size.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/cache_size.h"

#define MB ((size_t) 1 << 20)
#define ENOUGH SIZE_MAX

static char root[] = "/tmp/cache_size.XXXXXX";

static void
in_root(const char *command)
{
	char		whole[1024];

	snprintf(whole, sizeof(whole), "cd %s && %s", root, command);
	assert_int_equal(system(whole), 0);
}

/* The cache of that number has that size. */
static void
put(int number, const char *size)
{
	char		command[512];

	snprintf(command, sizeof(command),
			 "d=sys/devices/system/cpu/cpu0/cache/index%d && mkdir -p $d && "
			 "echo '%s' > $d/size", number, size);
	in_root(command);
}

static int
begin(void **state)
{
	(void) state;
	strcpy(root + strlen(root) - 6, "XXXXXX");
	return mkdtemp(root) == NULL;
}

static int
end(void **state)
{
	(void) state;
	in_root("rm -r $PWD");
	return 0;
}

static void
test_largest(void **state)
{
	(void) state;
	assert_int_equal(ssdpar_largest_cache(root), 0);
	put(0, "48K");
	assert_int_equal(ssdpar_largest_cache(root), 48 * 1024);
	put(1, "98304K");
	put(2, "1024K");
	assert_int_equal(ssdpar_largest_cache(root), 96 * MB);
	put(4, "999999K");			/* none of this processor's: there is no 3 */
	assert_int_equal(ssdpar_largest_cache(root), 96 * MB);
}

static void
test_nonsense(void **state)
{
	(void) state;
	put(0, "large");
	assert_int_equal(ssdpar_largest_cache(root), 0);
	put(0, "64");
	assert_int_equal(ssdpar_largest_cache(root), 0);
	put(0, "18446744073709551615K");
	assert_int_equal(ssdpar_largest_cache(root), 0);
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
		cmocka_unit_test_setup_teardown(test_largest, begin, end),
		cmocka_unit_test_setup_teardown(test_nonsense, begin, end),
		cmocka_unit_test(test_area),
		cmocka_unit_test(test_area_of_little_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
