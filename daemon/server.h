/*
 * server.h
 *		The running daemon.
 */
#ifndef SSDPARD_SERVER_H
#define SSDPARD_SERVER_H

#include "dispatch.h"
#include "listen.h"
#include "options.h"
#include "session.h"
#include "state.h"

typedef struct SsdpardServer
{
	SsdpardOptions options;
	SsdpardState state;
	SsdpardListener listener;
	SsdpardSessions sessions;
	SsdpardDispatch dispatch;
	int			poll;			/* epoll */
	int			signals;		/* signalfd */
	int			parent;			/* pipe from who started us; -1: none */
	bool		accepting;		/* false: no descriptor for a connection, or
								 * no socket */
	bool		told_unreachable;	/* and why */
	bool		stopping;
	uint64_t	stopping_since; /* us */
	uint64_t	last_sweep;		/* us */
	uint64_t	last_look;		/* us, after the socket's file */
	uint64_t	no_room_logged; /* us; 0: never */
	SsdpardDispatched dispatched;	/* in the last turn */
} SsdpardServer;

/*
 * By SERVER->options; everything else is zero.  PARENT_FD is a pipe whose end
 * ends the daemon like SIGTERM, or -1.  False with a message in PROBLEM, and
 * nothing left behind.  With a parent, who would only start it again, a daemon
 * whose socket cannot be made says so, and makes it when it can.
 */
extern bool ssdpard_server_start(SsdpardServer *server, int parent_fd,
								 char problem[SSDPARD_PROBLEM]);

/*
 * Returns when SIGTERM was obeyed; false if reads would not end, or cannot be
 * made any more.  COMMAND is read again at SIGHUP.
 */
extern bool ssdpard_server_run(SsdpardServer *server,
							   const SsdpardCommand *command);

#endif							/* SSDPARD_SERVER_H */
