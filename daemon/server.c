/*
 * server.c
 *		The daemon's main loop: one thread, which waits only in epoll.
 *
 * One turn of the loop handles events of sockets and reader, starts the
 * requests that may be started, and checks open descriptors four times a
 * second.  When idle, it wakes up only every two seconds, to check whether
 * sessions can still connect.
 */
#include "server.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "accept.h"
#include "clock.h"
#include "cpu_wait.h"
#include "descriptor_limits.h"
#include "log.h"
#include "reader.h"

#define EVENTS_PER_TURN 64

/* Four checks before a deleted file must be closed (protocol.h). */
#define SWEEP_US 250000

/*
 * If the last sweep is longer ago, the daemon was stopped or idle, so requests
 * for a file that seems idle may still be in the sockets.
 */
#define LATE_SWEEP_US (2 * SWEEP_US)

/* Short, so that a removed socket is restored soon. */
#define LOOK_US 2000000

/* A session that finds no room keeps retrying. */
#define NO_ROOM_LOG_US 60000000

/* Retry interval when the kernel had no memory for a read. */
#define SUBMIT_AGAIN_MS 1

/* Reads that a device does not finish within this time are abandoned. */
#define DRAIN_US 10000000

/* WHAT is returned with each event. */
static bool
watch(SsdpardServer *server, int fd, void *what)
{
	struct epoll_event event = {.events = EPOLLIN, .data.ptr = what};

	/* the reader's eventfd is never read, so only changes matter */
	if (what == &server->state.reader)
		event.events |= EPOLLET;
	return epoll_ctl(server->poll, EPOLL_CTL_ADD, fd, &event) == 0;
}

/* Signals are read from a descriptor, so they do not interrupt anything. */
static int
open_signals(void)
{
	sigset_t	wanted;

	sigemptyset(&wanted);
	sigaddset(&wanted, SIGTERM);
	sigaddset(&wanted, SIGINT);
	sigaddset(&wanted, SIGQUIT);	/* sent when the server stops immediately */
	sigaddset(&wanted, SIGHUP);
	if (sigprocmask(SIG_BLOCK, &wanted, NULL) != 0)
		return -1;
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &wanted, SFD_CLOEXEC | SFD_NONBLOCK);
}

static void
get_rules(const SsdpardOptions *options, SsdpardRules *rules)
{
	rules->max_ranges = (uint32_t) options->max_queue;
	rules->max_request_bytes = (uint32_t) options->max_request_kb * 1024;
	rules->depth = (uint32_t) options->device_depth;
	rules->random_deadline = (uint64_t) options->random_deadline_ms * 1000;
	rules->sequential_deadline =
		(uint64_t) options->sequential_deadline_ms * 1000;
}

static void
tell_unreachable(SsdpardServer *server, const char *problem)
{
	if (!server->told_unreachable)
		ssdpard_log(SSDPARD_LOG_WARNING, "no session can connect until this "
					"is fixed: %s", problem);
	server->told_unreachable = true;
	if (server->listener.fd < 0)
		server->accepting = false;
}

/*
 * If the socket's file was removed or replaced, no session can reach the
 * daemon.  Report this once, and retry until it works.
 */
static void
look_after_socket(SsdpardServer *server)
{
	SsdpardListener *listener = &server->listener;
	char		problem[SSDPARD_PROBLEM];

	server->last_look = server->state.now;
	if (ssdpard_is_reachable(listener))
		server->told_unreachable = false;
	else if (ssdpard_listen_again(&server->options, listener, problem))
	{
		server->told_unreachable = false;
		server->accepting = watch(server, listener->fd, listener);
		ssdpard_log(SSDPARD_LOG_WARNING, "the socket \"%.200s\" was missing, "
					"so it was made again; sessions will reconnect",
					listener->path);
	}
	else
		tell_unreachable(server, problem);
}

/*
 * If another file occupies the socket's path, a parent would restart us
 * forever.  So run without the socket and retry later.
 */
static bool
open_socket(SsdpardServer *server, char *problem)
{
	if (ssdpard_listen(&server->options, &server->listener, problem))
		return watch(server, server->listener.fd, &server->listener) ||
			ssdpard_fail(problem, "could not wait for sessions: %s",
						 strerror(errno));
	if (server->parent < 0 || ssdpard_socket_is_passed())
		return false;
	tell_unreachable(server, problem);
	return true;
}

/*
 * Opens everything except the socket, which is last, because connections can
 * be served only then.
 */
static bool
open_parts(SsdpardServer *server, char *problem)
{
	SsdpardState *state = &server->state;
	SsdpardRules rules;

	get_rules(&server->options, &rules);
	state->scheduler = ssdpard_scheduler_create(&rules,
												ssdpard_session_finished,
												ssdpard_cpu_wait);
	server->poll = server->sessions.poll = epoll_create1(EPOLL_CLOEXEC);
	server->signals = open_signals();
	if (state->scheduler == NULL || server->poll < 0 || server->signals < 0)
		return ssdpard_fail(problem, "could not start: %s; free memory or "
							"descriptors, or lower max_queue",
							strerror(errno));
	if (server->parent >= 0 &&
		!watch(server, server->parent, &server->parent))
		return ssdpard_fail(problem, "could not watch the descriptor %d of "
							"--parent-fd: %s; give the reading end of a pipe",
							server->parent, strerror(errno));
	state->reader = ssdpard_reader_open(&server->options, problem);
	if (state->reader == NULL ||
		!ssdpard_trace_open(&state->trace, server->options.trace, problem) ||
		!open_socket(server, problem))
		return false;
	if (watch(server, server->signals, &server->signals) &&
		watch(server, state->reader->fd, &state->reader))
		return true;
	return ssdpard_fail(problem, "could not wait for events: %s",
						strerror(errno));
}

static void
close_parts(SsdpardServer *server)
{
	ssdpard_stop_listening(&server->listener);
	ssdpard_trace_close(&server->state.trace);
	if (server->state.reader != NULL)
		server->state.reader->method->close(server->state.reader);
	if (server->state.scheduler != NULL)
		ssdpard_scheduler_free(server->state.scheduler);
	if (server->signals >= 0)
		close(server->signals);
	if (server->poll >= 0)
		close(server->poll);
}

bool
ssdpard_server_start(SsdpardServer *server, int parent_fd,
					 char problem[SSDPARD_PROBLEM])
{
	ssdpard_sessions_init(&server->sessions, &server->state);
	ssdpard_files_init(&server->state.files);
	ssdpard_dispatch_init(&server->dispatch, &server->state);
	server->listener.fd = server->poll = server->signals = -1;
	server->parent = parent_fd;
	server->accepting = true;
	server->state.started = server->state.now = ssdpard_now();
	ssdpard_divide_descriptors(&server->options, &server->sessions.max_open,
							   &server->state.files.max_open);
	if (open_parts(server, problem))
		return true;
	close_parts(server);
	return false;
}

/* SIGHUP: applies all of the new settings or none. */
static void
reload(SsdpardServer *server, const SsdpardCommand *command)
{
	char		problem[SSDPARD_PROBLEM];
	const char *in_vain;
	SsdpardRules rules;

	ssdpard_notify("RELOADING=1");
	if (!ssdpard_options_reload(command, &server->options, &in_vain, problem))
		ssdpard_log(SSDPARD_LOG_WARNING, "%s; the former settings stay in "
					"force", problem);
	else
	{
		get_rules(&server->options, &rules);
		ssdpard_scheduler_set_rules(server->state.scheduler, &rules);
		ssdpard_divide_descriptors(&server->options,
								   &server->sessions.max_open,
								   &server->state.files.max_open);
		ssdpard_log_level((SsdpardLevel) server->options.log_level);
		ssdpard_log(SSDPARD_LOG_INFO, "settings read again");
		if (in_vain != NULL)
			ssdpard_log(SSDPARD_LOG_WARNING, "%s cannot change while the "
						"daemon runs; restart it", in_vain);
	}
	ssdpard_notify("READY=1");
}

/* SIGTERM: drops queued requests and waits for outstanding ones. */
static void
begin_to_stop(SsdpardServer *server)
{
	if (server->stopping)
		return;
	ssdpard_notify("STOPPING=1");
	ssdpard_log(SSDPARD_LOG_INFO, "stopping: %u ranges queued, %u reads "
				"outstanding",
				ssdpard_scheduler_ranges(server->state.scheduler),
				ssdpard_scheduler_outstanding(server->state.scheduler));
	server->stopping = true;
	server->stopping_since = server->state.now;
	ssdpard_stop_listening(&server->listener);
	ssdpard_sessions_close_all(&server->sessions);
}

static void
take_event(SsdpardServer *server, const SsdpardCommand *command, void *what)
{
	if (what == &server->signals)
	{
		struct signalfd_siginfo info;

		while (read(server->signals, &info, sizeof(info)) == sizeof(info))
		{
			if (info.ssi_signo == SIGHUP)
				reload(server, command);
			else
				begin_to_stop(server);
		}
	}
	else if (what == &server->parent)
	{
		/* nothing is written to it, so it was closed */
		epoll_ctl(server->poll, EPOLL_CTL_DEL, server->parent, NULL);
		ssdpard_log(SSDPARD_LOG_INFO, "the process that started this daemon has ended");
		begin_to_stop(server);
	}
	else if (what == &server->listener)
	{
		/* -1: a signal in the same batch of events came first */
		if (server->listener.fd < 0 ||
			ssdpard_accept(server->listener.fd, &server->options,
						   &server->sessions))
			return;

		/*
		 * As events are level-triggered, a connection that finds no
		 * descriptor would wake the loop forever.  The next sweep retries.
		 */
		server->accepting = false;
		if (server->no_room_logged == 0 ||
			server->state.now - server->no_room_logged >= NO_ROOM_LOG_US)
		{
			server->no_room_logged = server->state.now;
			ssdpard_log(SSDPARD_LOG_WARNING, "no descriptor for another "
						"session; trying again soon (raise LimitNOFILE)");
		}
		epoll_ctl(server->poll, EPOLL_CTL_DEL, server->listener.fd, NULL);
	}
	else if (what != &server->state.reader)
		ssdpard_session_receive(what);

	/* the reader's completions are collected in every turn */
}

/* Milliseconds to sleep until the next event; -1: no timeout. */
static int
next_timeout(const SsdpardServer *server)
{
	const SsdpardScheduler *scheduler = server->state.scheduler;

	if (server->dispatched == SSDPARD_MORE_TO_START)
		return 0;

	/* queued but nothing outstanding, so no completion would wake us */
	if (server->dispatched == SSDPARD_SUBMIT_AGAIN ||
		(ssdpard_scheduler_ranges(scheduler) > 0 &&
		 ssdpard_scheduler_outstanding(scheduler) == 0))
		return SUBMIT_AGAIN_MS;
	if (server->state.files.open > 0 || server->stopping ||
		(!server->accepting && server->listener.fd >= 0))
		return SWEEP_US / 1000;
	return LOOK_US / 1000;
}

/* Each sweep closes deleted files, and idle ones unless the sweep is late. */
static void
sweep(SsdpardServer *server)
{
	SsdpardState *state = &server->state;
	bool		late = state->now - server->last_sweep > LATE_SWEEP_US;

	server->last_sweep = state->now;
	ssdpard_files_sweep(&state->files, state->now,
						late ? UINT64_MAX :
						SSDPAR_WIRE_FILE_IDLE_MS * UINT64_C(1000),
						state->turn);
	if (!server->accepting && server->listener.fd >= 0)
		server->accepting = watch(server, server->listener.fd,
								  &server->listener);
}

static void
take_turn(SsdpardServer *server, const SsdpardCommand *command)
{
	SsdpardState *state = &server->state;
	struct epoll_event events[EVENTS_PER_TURN];
	int			count = epoll_wait(server->poll, events, EVENTS_PER_TURN,
								   next_timeout(server));

	state->now = ssdpard_now();
	state->turn++;
	for (int i = 0; i < count; i++)
		take_event(server, command, events[i].data.ptr);

	/* completions first, because they free slots for new requests */
	ssdpard_dispatch_collect(&server->dispatch);
	server->dispatched = ssdpard_dispatch_start(&server->dispatch);

	if (state->now - server->last_sweep >= SWEEP_US)
		sweep(server);
	if (!server->stopping && state->now - server->last_look >= LOOK_US)
		look_after_socket(server);

	/* last: until here, an event of this turn may point to one of them */
	ssdpard_sessions_free_closed(&server->sessions);
}

/*
 * Files held for reads that never end could not be closed, and deleted files
 * would keep their space, so the process exits.  Its successor determines
 * again how it can read.
 */
static bool
give_up(SsdpardServer *server)
{
	ssdpard_stop_listening(&server->listener);
	ssdpard_log(SSDPARD_LOG_ERROR, "%s cannot be used any more: %s; ending, "
				"so that another daemon may read in another way",
				server->state.reader->method->name,
				strerror(server->state.reader->broken));
	return false;
}

bool
ssdpard_server_run(SsdpardServer *server, const SsdpardCommand *command)
{
	const SsdpardState *state = &server->state;

	while (!server->stopping ||
		   (!TAILQ_EMPTY(&server->sessions.closing) &&
			state->now - server->stopping_since <= DRAIN_US))
	{
		take_turn(server, command);
		if (state->reader->broken != 0)
			return give_up(server);
	}
	if (TAILQ_EMPTY(&server->sessions.closing))
	{
		close_parts(server);
		return true;
	}

	/* keep buffer and ring, because the kernel may still write to them */
	ssdpard_log(SSDPARD_LOG_ERROR, "%u reads did not end in %d seconds; "
				"the device may hang",
				ssdpard_scheduler_outstanding(state->scheduler),
				DRAIN_US / 1000000);
	return false;
}
