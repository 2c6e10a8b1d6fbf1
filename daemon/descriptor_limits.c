/*
 * descriptor_limits.c
 *		How many descriptors and sessions the system allows.
 */
#include "descriptor_limits.h"

#include <sys/resource.h>

#include "log.h"

/* Ring, signals, listener, log, and room to refuse a connection. */
#define RESERVED 64

/* For sessions, and for files, whatever the limit says. */
#define MIN_EACH 16

/* The kernel's tables for more would cost memory that is never used. */
#define MAX_DESCRIPTORS (4 * 1024 * 1024)

static int
smaller(int left, int right)
{
	return left < right ? left : right;
}

/* The soft limit is low (1024) for select()'s sake, which is not used here. */
static int
raise_limit(void)
{
	struct rlimit limit = {0, 0};

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return RESERVED;
	if (limit.rlim_cur < limit.rlim_max)
	{
		rlim_t		before = limit.rlim_cur;

		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			limit.rlim_cur = before;
	}
	return limit.rlim_cur < (rlim_t) MAX_DESCRIPTORS ? (int) limit.rlim_cur
		: MAX_DESCRIPTORS;
}

void
ssdpard_divide_descriptors(const SsdpardOptions *options, int *max_sessions,
						   int *max_files)
{
	int			room = raise_limit() - RESERVED;

	if (room < 2 * MIN_EACH)
		room = 2 * MIN_EACH;

	/*
	 * Half at most for sessions: a file without a descriptor loses its
	 * prefetch, but a session without files is of no use at all.
	 */
	*max_sessions = smaller(options->max_sessions, room / 2);
	*max_files = room - *max_sessions;
	if (options->max_files > 0)
		*max_files = smaller(*max_files, options->max_files);
	if (*max_sessions < options->max_sessions)
		ssdpard_log(SSDPARD_LOG_WARNING, "the limit for open files allows %d "
					"sessions in place of max_sessions = %d; raise it "
					"(ulimit -n, LimitNOFILE)", *max_sessions,
					options->max_sessions);
}
