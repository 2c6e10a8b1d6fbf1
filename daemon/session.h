/*
 * session.h
 *		The clients of the daemon: their messages, files and counters.
 */
#ifndef SSDPARD_SESSION_H
#define SSDPARD_SESSION_H

#include <sys/queue.h>

#include "common/protocol.h"
#include "state.h"

typedef struct SsdpardSession SsdpardSession;

/*
 * Invariant: a session is in exactly one list.  Those in open have a socket
 * that epoll watches.  Those in closing have none and wait for their ranges to
 * end, because the scheduler still refers to them as owners.
 */
typedef struct SsdpardSessions
{
	SsdpardState *state;
	int			poll;			/* the epoll instance that watches their
								 * sockets */
				TAILQ_HEAD(SsdpardOpenSessions, SsdpardSession) open;
				TAILQ_HEAD(SsdpardClosingSessions, SsdpardSession) closing;
	int			nopen;
	int			max_open;
} SsdpardSessions;

extern void ssdpard_sessions_init(SsdpardSessions *sessions,
								  SsdpardState *state);

/* Takes over SOCKET, unless it is refused. */
extern SsdparWireRefusal ssdpard_session_open(SsdpardSessions *sessions,
											  int socket, uint32_t pid);

/* Reads the messages on its socket, if any. */
extern void ssdpard_session_receive(SsdpardSession *session);

extern void ssdpard_sessions_close_all(SsdpardSessions *sessions);

/* Frees the closing sessions that have no more ranges. */
extern void ssdpard_sessions_free_closed(SsdpardSessions *sessions);

/* The scheduler's SsdpardFinished callback; OWNER is a session. */
extern void ssdpard_session_finished(void *owner, void *file,
									 SsdpardOutcome outcome);

/* The pid of this session's process. */
extern uint32_t ssdpard_session_process(const void *owner);

/* Records that the device has read BYTES for this session. */
extern void ssdpard_session_was_read(void *owner, uint32_t bytes);

#endif							/* SSDPARD_SESSION_H */
