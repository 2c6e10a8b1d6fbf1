/*
 * server.h
 *		The daemon's main loop.
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
	int			parent;			/* pipe from the parent process; -1: none */
	bool		accepting;		/* false: no descriptor for a connection, or
								 * no socket */
	bool		told_unreachable;	/* the reason was logged */
	bool		stopping;
	uint64_t	stopping_since; /* us */
	uint64_t	last_sweep;		/* us */
	uint64_t	last_look;		/* us, of the socket's file */
	uint64_t	no_room_logged; /* us; 0: never */
	SsdpardDispatched dispatched;	/* result of the last turn */
} SsdpardServer;

/*
 * Starts with SERVER->options; everything else must be zero.  PARENT_FD is a
 * pipe whose closing stops the daemon like SIGTERM, or -1.  On failure,
 * returns false with a message in PROBLEM and leaves nothing behind.  However,
 * if there is a parent, which would only restart the daemon, an unusable
 * socket is just logged and retried later.
 */
extern bool ssdpard_server_start(SsdpardServer *server, int parent_fd,
								 char problem[SSDPARD_PROBLEM]);

/*
 * Returns after SIGTERM; false if reads would not end, or are no longer
 * possible.  COMMAND is parsed again at SIGHUP.
 */
extern bool ssdpard_server_run(SsdpardServer *server,
							   const SsdpardCommand *command);

#endif							/* SSDPARD_SERVER_H */
