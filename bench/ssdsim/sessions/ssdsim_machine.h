/*
 * ssdsim_machine.h
 *		A machine on virtual time: devices of one kind, a page cache, and
 *		processes that compute, read and write.
 *
 * Each process has its own processor, so that times only depend on the device
 * and on contention for it.
 */
#ifndef SSDSIM_MACHINE_H
#define SSDSIM_MACHINE_H

#include "bench/ssdsim/ssdsim_array.h"

#define SSDSIM_BLOCK 8192		/* PostgreSQL's page, and the cache's */
#define SSDSIM_MACHINE_DEVICES 4

/* A callback for when something is there. */
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
	uint64_t	nblocks;		/* of each device's files, which come first */
	uint8_t    *cache;			/* by block */
	SsdsimCalls waiting;
	struct SsdsimTransfer *unused;
	uint64_t	outstanding;	/* transfers */
	int64_t		now;
	uint64_t	bytes_read;
	uint32_t	writers;		/* the server's processes that wait for a
								 * write */
	uint64_t	flushes;		/* completed ones by others, starting at 1 */
	int64_t		flush_time;		/* total time of these */
} SsdsimMachine;

/*
 * On each of the devices, files have NBLOCKS, which are written and not
 * cached; the space after them is for writing.  Blocks are numbered
 * consecutively from one device to the next.
 */
extern void ssdsim_machine_init(SsdsimMachine *machine,
								const SsdsimSpec *spec, int ndevices,
								uint64_t nblocks);

/*
 * Writes all of the devices, and overwrites them at random TIMES times, before
 * anything happens, so that from then on they collect garbage for each write.
 */
extern void ssdsim_machine_age(SsdsimMachine *machine, double times);

/* Would reading a block have to wait for garbage collection now? */
extern bool ssdsim_machine_collects(const SsdsimMachine *machine,
									uint64_t block);

/* Callbacks for ending transfers must still exist. */
extern void ssdsim_machine_free(SsdsimMachine *machine);

/* Handles the next event, which exists. */
extern void ssdsim_machine_step(SsdsimMachine *machine);

/* Is a block there, or is it not even on its way? */
extern bool ssdsim_machine_has(const SsdsimMachine *machine, uint64_t block);
extern bool ssdsim_machine_lacks(const SsdsimMachine *machine,
								 uint64_t block);

/* The number of the device that has a block. */
extern int	ssdsim_machine_device(const SsdsimMachine *machine,
								  uint64_t block);

/*
 * Requests those of COUNT blocks of a device that are neither there nor on
 * their way, one request per run.  Returns their number, and the last of them
 * in *LAST.
 */
extern uint64_t ssdsim_machine_fetch(SsdsimMachine *machine, uint64_t block,
									 uint64_t count, uint64_t *last);

/* Calls when the block, which is on its way, is there. */
extern void ssdsim_machine_await(SsdsimMachine *machine, uint64_t block,
								 SsdsimCall *call);

/* Evicts blocks from the cache, as if its memory were needed. */
extern void ssdsim_machine_forget(SsdsimMachine *machine, uint64_t block,
								  uint64_t count);

/* Writes through the cache, and calls when the device has the data. */
extern void ssdsim_machine_write(SsdsimMachine *machine, int device,
								 uint64_t address, uint64_t bytes,
								 SsdsimCall *call);

/* Calls after this much time. */
extern void ssdsim_machine_after(SsdsimMachine *machine, int64_t duration,
								 SsdsimCall *call);

#endif							/* SSDSIM_MACHINE_H */
