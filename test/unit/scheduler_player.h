/*
 * scheduler_player.h
 *		Replays recorded streams of ranges to the daemon's scheduler; shared by
 *		the tests test_scheduler_*.c.  It only checks that each range has one
 *		outcome.
 *
 * A stream is a text with one range per line:
 *
 *	MS CLIENT CLASS STREAM OFFSET_KB LENGTH_KB [xREPEATS]
 *
 * CLASS is r or s; each repeated range starts where the previous one ended.
 * Ranges of the same millisecond all arrive before one is issued.  The
 * simulated device serves DEPTH requests at a time, each in a fixed time, or
 * in one that the test computes from its offset, so that the results depend on
 * nothing else.
 */
#ifndef SCHEDULER_PLAYER_H
#define SCHEDULER_PLAYER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "daemon/scheduler.h"

#define CLIENTS 4
#define MAX_ISSUED 65536

typedef struct Issued
{
	uint64_t	at;				/* us */
	uint64_t	offset;
	uint32_t	length;
	int			client;
	char		class;
} Issued;

typedef struct Player
{
	SsdpardScheduler *scheduler;
	SsdpardClient *clients[CLIENTS];
	int			device;
	uint64_t	now;
	uint32_t	outcomes[CLIENTS][SSDPARD_OUTCOMES];
	uint32_t	refused[CLIENTS];	/* for lack of room */
	Issued		issued[MAX_ISSUED];
	int			nissued;
	SsdpardDeviceRequest outstanding[1024]; /* in the order of issue */
	uint64_t	begins[1024];
	uint64_t	ends[1024];
	int			noutstanding;
	int			max_outstanding;
	uint64_t	cpu_wait;		/* us; passed to the scheduler */
	uint32_t	service_us;		/* of one request */
	uint32_t	(*service) (uint64_t offset);	/* used instead, if not NULL */
} Player;

/* The state of one test: player_begin() creates it, player_end() checks it. */
extern Player player;

/* Depth 8, requests of 256 kB, deadlines of 20 and 200 ms. */
extern const SsdpardRules player_usual;

extern void player_begin(const SsdpardRules *rules, uint32_t client_depth);

/* Checks that all ranges have their outcome, and nothing is outstanding. */
extern void player_end(void);

/* Requests a range; if it finds no room, it counts as refused. */
extern void player_ask(int client, char class, uint32_t stream,
					   uint64_t offset, uint32_t length);

/* Requests the ranges of a text at their times. */
extern void player_play(const char *text);

/* Issues everything that the scheduler allows now. */
extern void player_issue_all(void);

/* Completes the oldest read. */
extern void player_land(SsdpardResult result, uint32_t latency);

/*
 * Lets the device work until this time (us), or until nothing is left to do.
 */
extern void player_run_until(uint64_t end);
extern void player_run_out(void);

/* Number of a client's ranges whose outcome is known. */
extern uint32_t player_accounted(int client);

#endif							/* SCHEDULER_PLAYER_H */
