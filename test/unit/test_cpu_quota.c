/*
 * test_cpu_quota.c
 *		Unit tests of src/device/cpu_quota.c, on files like a kernel's.
 *
 * links: test/unit/kernel_files.c src/device/cpu_quota.c -lm
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "device/cpu_quota.h"

#include "kernel_files.h"

static void
test_without_groups(void **state)
{
	(void) state;
	assert_true(ssdpar_cpu_quota(kernel_files_root) == HUGE_VAL);
	kernel_files_put("proc/self/cgroup", "0::/a");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == HUGE_VAL);
	kernel_files_put("proc/self/cgroup", "nonsense\\n1:cpu");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == HUGE_VAL);
}

static void
test_version_2(void **state)
{
	(void) state;
	kernel_files_put("proc/self/cgroup", "0::/a/b/c");
	kernel_files_put("sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == HUGE_VAL);
	kernel_files_put("sys/fs/cgroup/a/b/cpu.max", "300000 100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 3.0);
	kernel_files_put("sys/fs/cgroup/a/cpu.max", "150000 100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 1.5);
	kernel_files_put("sys/fs/cgroup/a/b/c/cpu.max", "25000 50000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 0.5);
}

static void
test_version_1(void **state)
{
	(void) state;
	kernel_files_put("proc/self/cgroup",
					 "5:cpuset:/x\\n4:cpu,cpuacct:/a/b\\n3:memory:/a/b\\n0::/");
	kernel_files_put("sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000");
	kernel_files_put("sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1");
	kernel_files_put("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000");
	kernel_files_put("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == HUGE_VAL);
	kernel_files_put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "50000");
	kernel_files_put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 2.0);
}

/* The path in /proc does not exist; the container's own group is the top. */
static void
test_in_a_container(void **state)
{
	(void) state;
	kernel_files_put("proc/self/cgroup", "4:cpu:/docker/0123\\n0::/../elsewhere");
	kernel_files_put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
	kernel_files_put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 4.0);
	kernel_files_put("proc/self/cgroup", "0::/");
	kernel_files_put("sys/fs/cgroup/cpu.max", "200000 100000");
	assert_true(ssdpar_cpu_quota(kernel_files_root) == 2.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_without_groups, kernel_files_begin,
										kernel_files_end),
		cmocka_unit_test_setup_teardown(test_version_2, kernel_files_begin,
										kernel_files_end),
		cmocka_unit_test_setup_teardown(test_version_1, kernel_files_begin,
										kernel_files_end),
		cmocka_unit_test_setup_teardown(test_in_a_container, kernel_files_begin,
										kernel_files_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
