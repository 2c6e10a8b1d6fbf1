/*
 * ssdsim_machine.h
 *		A machine on virtual time: devices of a kind, the page cache before
 *		them, and processes that compute, read and write.
 *
 * It has a processor for each process, so that times tell of the device and
 * of who stands in whose way there, of nothing else.
 */
#ifndef SSDSIM_MACHINE_H
#define SSDSIM_MACHINE_H

#include "bench/ssdsim/ssdsim_array.h"

#define SSDSIM_BLOCK 8192		/* PostgreSQL's page, and the cache's */
#define SSDSIM_MACHINE_DEVICES 4

/* What is called when something is there. */
typedef struct SsdsimCall
{
	struct SsdsimCall *next;	/* of those that wait for a block */
	uint64_t	block;			/* waited for */
	void		(*call) (void *whom);
	void	   *whom;
} SsdsimCall;

typedef struct SsdsimCalls
{
	SsdsimCall *first;
	SsdsimCall *last;
} SsdsimCalls;

typedef struct SsdsimMachine
{
	SsdsimArray *devices[SSDSIM_MACHINE_DEVICES];
	int			ndevices;
	SsdsimEvents alarms;		/* whom is an SsdsimCall */
	uint64_t	nblocks;		/* of each device's files, which lie first */
	uint8_t    *cache;			/* by block */
	SsdsimCalls waiting;
	struct SsdsimTransfer *unused;
	uint64_t	outstanding;	/* transfers */
	int64_t		now;
	uint64_t	bytes_read;
	uint32_t	writers;		/* the server's processes that wait for a
								 * write */
	uint64_t	flushes;		/* by others, those that are over; from 1 on */
	int64_t		flush_time;		/* that these took */
} SsdsimMachine;

/*
 * On each of the devices files have NBLOCKS, which are written and not cached;
 * what lies behind them is for writing.  Blocks are counted through from one
 * device to the next.
 */
extern void ssdsim_machine_init(SsdsimMachine *machine,
								const SsdsimSpec *spec, int ndevices,
								uint64_t nblocks);

/*
 * Write all of the devices, and overwrite them by chance as often as TIMES,
 * before anything happens: from then on they collect garbage for each write.
 */
extern void ssdsim_machine_age(SsdsimMachine *machine, double times);

/* Whether reading a block would have to wait for collecting now. */
extern bool ssdsim_machine_collects(const SsdsimMachine *machine,
									uint64_t block);

/* Who is called back when a transfer ends is still there. */
extern void ssdsim_machine_free(SsdsimMachine *machine);

/* Let the next thing happen; there is one. */
extern void ssdsim_machine_step(SsdsimMachine *machine);

/* Whether a block is there, and whether it is not even on its way. */
extern bool ssdsim_machine_has(const SsdsimMachine *machine, uint64_t block);
extern bool ssdsim_machine_lacks(const SsdsimMachine *machine,
								 uint64_t block);

/* The number of the device that a block lies on. */
extern int	ssdsim_machine_device(const SsdsimMachine *machine,
								  uint64_t block);

/*
 * Ask for those of COUNT blocks of a device that are neither there nor on their
 * way, a request for each run of them.  Gives the number asked for; the last
 * of them in *LAST.
 */
extern uint64_t ssdsim_machine_fetch(SsdsimMachine *machine, uint64_t block,
									 uint64_t count, uint64_t *last);

/* Call when the block is there, which is on its way. */
extern void ssdsim_machine_await(SsdsimMachine *machine, uint64_t block,
								 SsdsimCall *call);

/* Throw blocks out of the cache, as somebody would who needs the memory. */
extern void ssdsim_machine_forget(SsdsimMachine *machine, uint64_t block,
								  uint64_t count);

/* Write through the cache, and call when the device has it. */
extern void ssdsim_machine_write(SsdsimMachine *machine, int device,
								 uint64_t address, uint64_t bytes,
								 SsdsimCall *call);

/* Call after this much time. */
extern void ssdsim_machine_after(SsdsimMachine *machine, int64_t duration,
								 SsdsimCall *call);

#endif							/* SSDSIM_MACHINE_H */
