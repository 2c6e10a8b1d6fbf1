/*
 * scheduler_player.h
 *		Plays recorded streams of ranges to the daemon's scheduler: what the
 *		tests test_scheduler_*.c have in common.  It judges nothing but that
 *		each range has one outcome.
 *
 * A stream is a text, a range a line:
 *
 *	MS CLIENT CLASS STREAM OFFSET_KB LENGTH_KB [xREPEATS]
 *
 * CLASS is r or s; a repeated range goes on where the one before ended.
 * Ranges of the same millisecond are all there before one is issued.
 * The device that plays it serves DEPTH requests at a time, each in a fixed
 * time, or in one that the test makes of its offset, so that what comes out
 * depends on nothing else.
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
	uint32_t	refused[CLIENTS];	/* found no room */
	Issued		issued[MAX_ISSUED];
	int			nissued;
	SsdpardDeviceRequest outstanding[1024]; /* in the order they were issued */
	uint64_t	begins[1024];
	uint64_t	ends[1024];
	int			noutstanding;
	int			max_outstanding;
	uint64_t	cpu_wait;		/* us; what the scheduler is told */
	uint32_t	service_us;		/* of one request */
	uint32_t	(*service) (uint64_t offset);	/* in its place, if not NULL */
} Player;

/* The world of one test: player_begin() makes it, player_end() checks it. */
extern Player player;

/* Depth 8, requests of 256 kB, deadlines of 20 and 200 ms. */
extern const SsdpardRules player_usual;

extern void player_begin(const SsdpardRules *rules, uint32_t client_depth);

/* All ranges have their outcome, nothing is outstanding. */
extern void player_end(void);

/* A range; one that finds no room is counted as refused. */
extern void player_ask(int client, char class, uint32_t stream,
					   uint64_t offset, uint32_t length);

/* The ranges of a text, at their times. */
extern void player_play(const char *text);

/* Everything that the scheduler is willing to issue now. */
extern void player_issue_all(void);

/* The oldest read ends. */
extern void player_land(SsdpardResult result, uint32_t latency);

/* The device works until that time (us), or until nothing is left to do. */
extern void player_run_until(uint64_t end);
extern void player_run_out(void);

/* Ranges of a client whose outcome is known. */
extern uint32_t player_accounted(int client);

#endif							/* SCHEDULER_PLAYER_H */
