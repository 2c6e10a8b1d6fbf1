/*
 * descriptor_limits.c
 *		Limits on descriptors and sessions.
 */
#include "descriptor_limits.h"

#include <sys/resource.h>

#include "log.h"

/* For ring, signals, listener, log, and to refuse a connection. */
#define RESERVED 64

/* Minimum for sessions and for files, regardless of the limit. */
#define MIN_EACH 16

/* With more, the kernel would allocate tables that are never used. */
#define MAX_DESCRIPTORS (4 * 1024 * 1024)

static int
smaller(int left, int right)
{
	return left < right ? left : right;
}

/*
 * The soft limit is low (1024) only because of select(), which is not used.
 */
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
	 * Sessions get at most half: a file without a descriptor only loses its
	 * prefetch, but a session without files is useless.
	 */
	*max_sessions = smaller(options->max_sessions, room / 2);
	*max_files = room - *max_sessions;
	if (options->max_files > 0)
		*max_files = smaller(*max_files, options->max_files);
	if (*max_sessions < options->max_sessions)
		ssdpard_log(SSDPARD_LOG_WARNING, "the limit for open files allows %d "
					"sessions instead of max_sessions = %d; raise it "
					"(ulimit -n, LimitNOFILE)", *max_sessions,
					options->max_sessions);
}
