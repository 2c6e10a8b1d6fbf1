/*
 * test_cpu_quota.c
 *		Unit tests of src/device/cpu_quota.c, over files as a kernel has them.
 *
 * links: src/device/cpu_quota.c -lm
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "device/cpu_quota.h"

static char root[] = "/tmp/cpu_quota.XXXXXX";

/* Runs a command in the root of the files. */
static void
in_root(const char *command)
{
	char		whole[1024];

	snprintf(whole, sizeof(whole), "cd %s && %s", root, command);
	assert_int_equal(system(whole), 0);
}

static void
put(const char *path, const char *text)
{
	char		command[512];

	snprintf(command, sizeof(command),
			 "mkdir -p $(dirname %s) && printf '%%b\\n' '%s' > %s", path, text,
			 path);
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
test_without_groups(void **state)
{
	(void) state;
	assert_true(ssdpar_cpu_quota(root) == HUGE_VAL);
	put("proc/self/cgroup", "0::/a");
	assert_true(ssdpar_cpu_quota(root) == HUGE_VAL);
	put("proc/self/cgroup", "nonsense\\n1:cpu");
	assert_true(ssdpar_cpu_quota(root) == HUGE_VAL);
}

static void
test_version_2(void **state)
{
	(void) state;
	put("proc/self/cgroup", "0::/a/b/c");
	put("sys/fs/cgroup/a/b/c/cpu.max", "max 100000");
	assert_true(ssdpar_cpu_quota(root) == HUGE_VAL);
	put("sys/fs/cgroup/a/b/cpu.max", "300000 100000");
	assert_true(ssdpar_cpu_quota(root) == 3.0);
	put("sys/fs/cgroup/a/cpu.max", "150000 100000");
	assert_true(ssdpar_cpu_quota(root) == 1.5);
	put("sys/fs/cgroup/a/b/c/cpu.max", "25000 50000");
	assert_true(ssdpar_cpu_quota(root) == 0.5);
}

static void
test_version_1(void **state)
{
	(void) state;
	put("proc/self/cgroup",
		"5:cpuset:/x\\n4:cpu,cpuacct:/a/b\\n3:memory:/a/b\\n0::/");
	put("sys/fs/cgroup/cpu/a/b/cpu.cfs_period_us", "100000");
	put("sys/fs/cgroup/cpu/a/b/cpu.cfs_quota_us", "-1");
	put("sys/fs/cgroup/cpu/x/cpu.cfs_period_us", "100000");
	put("sys/fs/cgroup/cpu/x/cpu.cfs_quota_us", "100000");
	assert_true(ssdpar_cpu_quota(root) == HUGE_VAL);
	put("sys/fs/cgroup/cpu/a/cpu.cfs_period_us", "50000");
	put("sys/fs/cgroup/cpu/a/cpu.cfs_quota_us", "100000");
	assert_true(ssdpar_cpu_quota(root) == 2.0);
}

/* What /proc names is not there; the container's own group is the top. */
static void
test_in_a_container(void **state)
{
	(void) state;
	put("proc/self/cgroup", "4:cpu:/docker/0123\\n0::/../elsewhere");
	put("sys/fs/cgroup/cpu/cpu.cfs_period_us", "100000");
	put("sys/fs/cgroup/cpu/cpu.cfs_quota_us", "400000");
	assert_true(ssdpar_cpu_quota(root) == 4.0);
	put("proc/self/cgroup", "0::/");
	put("sys/fs/cgroup/cpu.max", "200000 100000");
	assert_true(ssdpar_cpu_quota(root) == 2.0);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_without_groups, begin, end),
		cmocka_unit_test_setup_teardown(test_version_2, begin, end),
		cmocka_unit_test_setup_teardown(test_version_1, begin, end),
		cmocka_unit_test_setup_teardown(test_in_a_container, begin, end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
