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
 * Invariant: a session is in exactly one list.  In open it has a socket that
 * epoll watches; in closing it has none, and waits for its ranges to end,
 * because the scheduler still knows it as their owner.
 */
typedef struct SsdpardSessions
{
	SsdpardState *state;
	int			poll;			/* the epoll instance that watches them */
				TAILQ_HEAD(SsdpardOpenSessions, SsdpardSession) open;
				TAILQ_HEAD(SsdpardClosingSessions, SsdpardSession) closing;
	int			nopen;
	int			max_open;
} SsdpardSessions;

extern void ssdpard_sessions_init(SsdpardSessions *sessions,
								  SsdpardState *state);

/* Takes SOCKET over, unless it is refused. */
extern SsdparWireRefusal ssdpard_session_open(SsdpardSessions *sessions,
											  int socket, uint32_t pid);

/* There may be messages on its socket. */
extern void ssdpard_session_receive(SsdpardSession *session);

extern void ssdpard_sessions_close_all(SsdpardSessions *sessions);

/* Frees those in closing that wait for nothing any more. */
extern void ssdpard_sessions_free_closed(SsdpardSessions *sessions);

/* The scheduler's SsdpardFinished; OWNER is a session. */
extern void ssdpard_session_finished(void *owner, void *file,
									 SsdpardOutcome outcome);

/* The process of this session. */
extern uint32_t ssdpard_session_process(const void *owner);

/* The device has read BYTES for this session. */
extern void ssdpard_session_was_read(void *owner, uint32_t bytes);

#endif							/* SSDPARD_SESSION_H */
