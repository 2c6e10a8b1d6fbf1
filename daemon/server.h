/*
 * server.h
 *		What the parts of the running daemon share.
 */
#ifndef SSDPARD_SERVER_H
#define SSDPARD_SERVER_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

#include "common/protocol.h"
#include "files.h"
#include "latency.h"
#include "listen.h"
#include "options.h"
#include "reader.h"
#include "scheduler.h"

typedef struct SsdpardSession SsdpardSession;

/* A read in flight; next is the free list while there is none. */
typedef struct SsdpardSlot
{
	SsdpardPiece piece;
	uint32_t length;			/* asked for, after clipping to the file */
	uint64_t started;
	int next;
} SsdpardSlot;

typedef struct SsdpardServer
{
	SsdpardOptions options;
	SsdpardListener listener;
	SsdpardScheduler *scheduler;
	SsdpardReader *reader;
	SsdpardFiles files;
	TAILQ_HEAD(SsdpardSessions, SsdpardSession) sessions;
	TAILQ_HEAD(SsdpardGone, SsdpardSession) gone;	/* closed, not yet freed */
	int nsessions;				/* open ones */
	int most_sessions;
	int poll;					/* epoll */
	int signals;				/* signalfd */
	int parent;					/* pipe from who started us; -1: none */
	bool accepting;
	bool ending;
	bool again;					/* a turn must follow without waiting */
	bool retry;					/* ... after a little while */
	uint64_t ending_since;
	uint64_t now;				/* us, at the beginning of this turn */
	uint64_t started;
	uint64_t turn;				/* counts the turns of the loop, from 1 */
	uint64_t swept;
	uint64_t complained;		/* when a refusal was logged last */
	SsdpardSlot slots[SSDPARD_SLOTS];
	int free_slot;				/* -1: none */
	SsdparStatus totals;		/* only the counters since start */
	SsdpardRecent recent;
} SsdpardServer;

extern uint64_t ssdpard_now(void);

/* server.c: false with a message in PROBLEM, nothing left behind. */
extern bool ssdpard_server_start(SsdpardServer *server,
								 char problem[SSDPARD_PROBLEM]);
/* End like at SIGTERM when nobody holds the other end of the pipe FD. */
extern bool ssdpard_server_watch_parent(SsdpardServer *server, int fd,
										char problem[SSDPARD_PROBLEM]);
/* Returns when SIGTERM was obeyed; false if reads would not end. */
extern bool ssdpard_server_run(SsdpardServer *server,
							   const SsdpardCommand *command);

/* cpu_wait.c: us since the start, or 0 where the kernel does not tell. */
extern uint64_t ssdpard_cpu_wait(void);

/* limits.c: how many descriptors and sessions the system allows. */
extern void ssdpard_set_limits(SsdpardServer *server);

/* dispatch.c: queued ranges to the device, and what comes back. */
extern void ssdpard_dispatch_init(SsdpardServer *server);
extern void ssdpard_dispatch(SsdpardServer *server);
extern void ssdpard_collect(SsdpardServer *server);

/* accept.c */
extern void ssdpard_accept(SsdpardServer *server);
/* Says why on FD, which stays open, and in the log. */
extern void ssdpard_refuse(SsdpardServer *server, int fd, uint32_t pid,
						   uint32_t sequence, SsdparRefusal refusal);

/* session.c */
extern SsdparRefusal ssdpard_session_open(SsdpardServer *server, int fd,
										  uint32_t pid);
extern void ssdpard_session_ready(SsdpardSession *session);
extern void ssdpard_session_close(SsdpardSession *session);
/* Frees the closed ones whose last read has come back. */
extern void ssdpard_session_free_gone(SsdpardServer *server);
/* The scheduler's SsdpardFinished. */
extern void ssdpard_session_finished(void *owner, void *file,
									 SsdpardOutcome outcome);
extern void ssdpard_session_was_read(void *owner, uint32_t bytes);

/* status.c */
extern void ssdpard_fill_status(const SsdpardServer *server,
								SsdparStatus *status);

#endif							/* SSDPARD_SERVER_H */
