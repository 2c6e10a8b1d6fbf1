/*
 * cpu_quota.c
 *		Determines how much CPU time control groups allow this process.
 *
 * A container or a systemd unit with a quota sees all processors of the
 * machine and may use them, but not for long: once the quota of a period is
 * spent, all its processes stop until the next period.
 *
 * We read both versions of control groups, at their usual mount points.
 * Within a container, its own group is the root of the visible hierarchy, and
 * the path in /proc may be one outside of it; we ignore files that do not
 * exist.
 */
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "device/cpu_quota.h"

#define PLACE "/sys/fs/cgroup"

/*
 * Reads one or two numbers from DIRECTORY's file; returns how many it found.
 */
static int
read_numbers(const char *directory, const char *name, double *first,
			 double *second)
{
	char		path[PATH_MAX];
	FILE	   *file;
	int			count;

	if (snprintf(path, sizeof(path), "%s/%s", directory, name) >=
		(int) sizeof(path))
		return 0;
	file = fopen(path, "re");
	if (file == NULL)
		return 0;
	count = fscanf(file, "%lf %lf", first, second);
	fclose(file);
	return count;
}

/* "max" or -1 means that there is no quota. */
static double
quota_of(const char *directory)
{
	double		quota = -1.0;
	double		period = -1.0;
	double		unused;

	if (read_numbers(directory, "cpu.max", &quota, &period) < 2 &&
		(read_numbers(directory, "cpu.cfs_quota_us", &quota, &unused) < 1 ||
		 read_numbers(directory, "cpu.cfs_period_us", &period, &unused) < 1))
		return HUGE_VAL;
	return quota > 0.0 && period > 0.0 ? quota / period : HUGE_VAL;
}

/* Least quota of the group at this path below TOP, and of its ancestors. */
static double
least_quota(const char *top, const char *path)
{
	char		directory[PATH_MAX];
	size_t		top_length = strlen(top);
	double		least = HUGE_VAL;

	if (snprintf(directory, sizeof(directory), "%s%s", top, path) >=
		(int) sizeof(directory))
		return least;
	for (;;)
	{
		char	   *slash = strrchr(directory, '/');

		least = fmin(least, quota_of(directory));
		if (slash == NULL || slash < directory + top_length)
			return least;
		*slash = '\0';
	}
}

/* Does a list like "cpu,cpuacct" contain "cpu"? */
static bool
has_cpu(char *controllers)
{
	for (char *one = strtok(controllers, ","); one != NULL;
		 one = strtok(NULL, ","))
		if (strcmp(one, "cpu") == 0)
			return true;
	return false;
}

/* A line is "4:cpu,cpuacct:/path", or "0::/path" in version 2 (cgroups(7)). */
static double
quota_by_line(const char *root, char *line)
{
	char		top[PATH_MAX];
	char	   *controllers = strchr(line, ':');
	char	   *path;
	bool		unified;

	if (controllers == NULL || (path = strchr(++controllers, ':')) == NULL)
		return HUGE_VAL;
	*path++ = '\0';
	path[strcspn(path, "\n")] = '\0';
	unified = controllers[0] == '\0';
	if ((!unified && !has_cpu(controllers)) ||
		snprintf(top, sizeof(top), "%s" PLACE "%s", root,
				 unified ? "" : "/cpu") >= (int) sizeof(top))
		return HUGE_VAL;
	return least_quota(top, path);
}

double
ssdpar_cpu_quota(const char *root)
{
	char		name[PATH_MAX];
	char		line[PATH_MAX];
	FILE	   *groups;
	double		least = HUGE_VAL;

	if (snprintf(name, sizeof(name), "%s/proc/self/cgroup", root) >=
		(int) sizeof(name) ||
		(groups = fopen(name, "re")) == NULL)
		return least;
	while (fgets(line, sizeof(line), groups) != NULL)
		least = fmin(least, quota_by_line(root, line));
	fclose(groups);
	return least;
}
