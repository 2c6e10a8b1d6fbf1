/*
 * limits.c
 *		How many descriptors and sessions the system allows.
 */
#include <sys/resource.h>

#include "log.h"
#include "server.h"

/* Ring, signals, listener, log, and room to refuse somebody. */
#define RESERVED 64
#define LEAST 16

static int
smaller(int left, int right)
{
	return left < right ? left : right;
}

static int
descriptors(void)
{
	struct rlimit limit = {0, 0};
	const int most = 4 * 1024 * 1024;

	if (getrlimit(RLIMIT_NOFILE, &limit) != 0)
		return RESERVED;
	if (limit.rlim_cur < limit.rlim_max)
	{
		rlim_t before = limit.rlim_cur;

		limit.rlim_cur = limit.rlim_max;
		if (setrlimit(RLIMIT_NOFILE, &limit) != 0)
			limit.rlim_cur = before;
	}
	return limit.rlim_cur < (rlim_t) most ? (int) limit.rlim_cur : most;
}

/* Sessions get what they may need, but at most half. */
void
ssdpard_set_limits(SsdpardServer *server)
{
	const SsdpardOptions *options = &server->options;
	int room = descriptors() - RESERVED;

	if (room < 2 * LEAST)
		room = 2 * LEAST;
	server->most_sessions = smaller(options->max_sessions, room / 2);
	server->files.most = room - server->most_sessions;
	if (options->max_files > 0)
		server->files.most = smaller(server->files.most, options->max_files);
	if (server->most_sessions < options->max_sessions)
		ssdpard_log(SSDPARD_LOG_WARNING, "the limit for open files allows %d "
					"sessions in place of max_sessions = %d; raise it "
					"(ulimit -n, LimitNOFILE)", server->most_sessions,
					options->max_sessions);
}
