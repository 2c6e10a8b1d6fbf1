/*
 * server.c
 *		The running daemon: one thread, one loop, no waiting but in epoll.
 *
 * A turn of the loop takes what sockets and reader have, starts what may be
 * started, and looks after descriptors four times a second while there are
 * any.  With nothing to do it sleeps without end.
 */
#include "server.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>

#include "log.h"

#define EVENTS 64
#define SWEEP_US 250000
#define RETRY_MS 1
/* Reads that a device does not end in this time are left to the kernel. */
#define DRAIN_US 10000000

uint64_t
ssdpard_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t) now.tv_sec * 1000000 + (uint64_t) now.tv_nsec / 1000;
}

/* The reader's descriptor nobody reads: only its change counts (EPOLLET). */
static bool
watch(SsdpardServer *server, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

	if (what == &server->reader)
		event.events |= EPOLLET;
	return epoll_ctl(server->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Signals come as something to read, so that they interrupt nothing. */
static int
open_signals(void)
{
	sigset_t wanted;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &wanted, NULL) != 0)
		return -1;
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void
stop(SsdpardServer *server)
{
	ssdpard_stop_listening(&server->listener);
	if (server->reader != NULL)
		server->reader->method->close(server->reader);
	if (server->scheduler != NULL)
		ssdpard_scheduler_free(server->scheduler);
	if (server->signals >= 0)
		close(server->signals);
	if (server->poll >= 0)
		close(server->poll);
}

static void
get_rules(const SsdpardOptions *options, SsdpardRules *rules)
{
	rules->max_ranges = (uint32_t) options->max_queue;
	rules->piece_bytes = (uint32_t) options->sink_kb * 1024;
	rules->depth = (uint32_t) options->device_depth;
	rules->random_deadline = (uint64_t) options->random_deadline_ms * 1000;
	rules->sequential_deadline =
		(uint64_t) options->sequential_deadline_ms * 1000;
}

static bool
open_all(SsdpardServer *server, char *problem)
{
	SsdpardRules rules;

	get_rules(&server->options, &rules);
	server->scheduler = ssdpard_scheduler_create(&rules,
												 ssdpard_session_finished);
	if (server->scheduler != NULL)
		ssdpard_scheduler_set_waits(server->scheduler, ssdpard_cpu_wait);
	server->poll = epoll_create1(EPOLL_CLOEXEC);
	server->signals = open_signals();
	if (server->scheduler == NULL || server->poll < 0 || server->signals < 0)
		return ssdpard_fail(problem, "could not start: %s; free memory or "
							"descriptors, or lower max_queue",
							strerror(errno));
	server->reader = ssdpard_reader_open(&server->options, problem);
	if (server->reader == NULL ||
		!ssdpard_listen(&server->options, &server->listener, problem))
		return false;
	if (watch(server, server->listener.fd, &server->listener) &&
		watch(server, server->signals, &server->signals) &&
		watch(server, server->reader->fd, &server->reader))
		return true;
	return ssdpard_fail(problem, "could not wait for events: %s",
						strerror(errno));
}

bool
ssdpard_server_start(SsdpardServer *server, char problem[SSDPARD_PROBLEM])
{
	TAILQ_INIT(&server->sessions);
	TAILQ_INIT(&server->gone);
	ssdpard_files_init(&server->files);
	ssdpard_dispatch_init(server);
	server->listener.fd = server->poll = server->signals = -1;
	server->parent = -1;
	server->accepting = true;
	server->started = server->now = ssdpard_now();
	ssdpard_set_limits(server);
	if (open_all(server, problem))
		return true;
	stop(server);
	return false;
}

bool
ssdpard_server_watch_parent(SsdpardServer *server, int fd,
							char problem[SSDPARD_PROBLEM])
{
	if (fd < 0)
		return true;
	server->parent = fd;
	if (watch(server, fd, &server->parent))
		return true;
	snprintf(problem, SSDPARD_PROBLEM, "could not watch the descriptor %d of "
			 "--parent-fd: %s; give the reading end of a pipe", fd,
			 strerror(errno));
	stop(server);
	return false;
}

static void
reload(SsdpardServer *server, const SsdpardCommand *command)
{
	char problem[SSDPARD_PROBLEM];
	const char *in_vain;
	SsdpardRules rules;

	ssdpard_notify("RELOADING=1");
	if (!ssdpard_options_reload(command, &server->options, &in_vain, problem))
		ssdpard_log(SSDPARD_LOG_WARNING, "%s; the former settings stay in "
					"force", problem);
	else
	{
		get_rules(&server->options, &rules);
		ssdpard_scheduler_set_rules(server->scheduler, &rules);
		ssdpard_set_limits(server);
		ssdpard_log_level((SsdpardLevel) server->options.log_level);
		ssdpard_log(SSDPARD_LOG_INFO, "settings read again");
		if (in_vain != NULL)
			ssdpard_log(SSDPARD_LOG_WARNING, "%s cannot change while the "
						"daemon runs; restart it", in_vain);
	}
	ssdpard_notify("READY=1");
}

static void
begin_to_end(SsdpardServer *server)
{
	SsdpardSession *session;

	if (server->ending)
		return;
	ssdpard_notify("STOPPING=1");
	ssdpard_log(SSDPARD_LOG_INFO, "stopping: %u ranges queued, %u reads in "
				"flight", ssdpard_scheduler_ranges(server->scheduler),
				ssdpard_scheduler_in_flight(server->scheduler));
	server->ending = true;
	server->ending_since = server->now;
	ssdpard_stop_listening(&server->listener);
	while ((session = TAILQ_FIRST(&server->sessions)) != NULL)
		ssdpard_session_close(session);
}

static void
take_signals(SsdpardServer *server, const SsdpardCommand *command)
{
	struct signalfd_siginfo info;

	while (read(server->signals, &info, sizeof(info)) == sizeof(info))
	{
		if (info.ssi_signo == SIGHUP)
			reload(server, command);
		else
			begin_to_end(server);
	}
}

/* Descriptors are given back, and lost connections looked for again. */
static void
sweep(SsdpardServer *server)
{
	if (server->now - server->swept < SWEEP_US)
		return;
	server->swept = server->now;
	ssdpard_files_sweep(&server->files, server->now,
						SSDPAR_FILE_IDLE_MS * UINT64_C(1000), server->turn);
	if (!server->accepting && !server->ending)
		server->accepting = watch(server, server->listener.fd,
								  &server->listener);
}

static int
patience(const SsdpardServer *server)
{
	if (server->again)
		return 0;
	if (server->retry ||
		(ssdpard_scheduler_ranges(server->scheduler) > 0 &&
		 ssdpard_scheduler_in_flight(server->scheduler) == 0))
		return RETRY_MS;		/* nothing would wake us */
	if (server->files.open > 0 || !server->accepting || server->ending)
		return SWEEP_US / 1000;
	return -1;
}

static void
take_event(SsdpardServer *server, const SsdpardCommand *command, void *what)
{
	if (what == &server->signals)
		take_signals(server, command);
	else if (what == &server->parent)
	{
		/* nobody writes to it, so it has come to its end */
		epoll_ctl(server->poll, EPOLL_CTL_DEL, server->parent, NULL);
		ssdpard_log(SSDPARD_LOG_INFO, "who started this daemon has ended");
		begin_to_end(server);
	}
	else if (what == &server->listener)
	{
		if (server->listener.fd < 0)
			return;
		ssdpard_accept(server);
		if (!server->accepting)
		{
			ssdpard_log(SSDPARD_LOG_WARNING, "no descriptor for another "
						"session; trying again soon (raise LimitNOFILE)");
			epoll_ctl(server->poll, EPOLL_CTL_DEL, server->listener.fd, NULL);
		}
	}
	else if (what != &server->reader)
		ssdpard_session_ready(what);
}

static bool
is_over(const SsdpardServer *server)
{
	return server->ending && (TAILQ_EMPTY(&server->gone) ||
							  server->now - server->ending_since > DRAIN_US);
}

static void
take_turn(SsdpardServer *server, const SsdpardCommand *command)
{
	struct epoll_event events[EVENTS];
	int count = epoll_wait(server->poll, events, EVENTS, patience(server));

	server->now = ssdpard_now();
	server->turn++;
	server->again = false;
	for (int i = 0; i < count; i++)
		take_event(server, command, events[i].data.ptr);
	ssdpard_collect(server);
	ssdpard_dispatch(server);
	sweep(server);
	ssdpard_session_free_gone(server);
}

bool
ssdpard_server_run(SsdpardServer *server, const SsdpardCommand *command)
{
	while (!is_over(server))
		take_turn(server, command);
	if (!TAILQ_EMPTY(&server->gone))
	{
		ssdpard_log(SSDPARD_LOG_ERROR, "%u reads did not end in %d seconds; "
					"the device may hang",
					ssdpard_scheduler_in_flight(server->scheduler),
					DRAIN_US / 1000000);
		return false;
	}
	stop(server);
	return true;
}
