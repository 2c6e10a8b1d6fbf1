/*
 * participants.h
 *		The processes of a parallel star scan while its result is being made:
 *		the first to attach makes it, the others share its index reads.
 */
#ifndef SSDPAR_PARTICIPANTS_H
#define SSDPAR_PARTICIPANTS_H

#include "starscan/exec/index_task.h"

/* In shared memory, for as many processes as are planned. */
typedef struct SsdparParticipants SsdparParticipants;

extern Size ssdpar_participants_size(int nprocesses);

/* Before the processes attach, or attach again. */
extern void ssdpar_participants_init(SsdparParticipants *participants,
									 int nprocesses);

/* Processes that have attached so far. */
extern int	ssdpar_participants_attached(SsdparParticipants *participants);

/* A dimension whose rows several processes read, by ranges of its blocks. */
typedef struct SsdparChildTask
{
	int			reducer;
	BlockNumber nblocks;
	Size		max_bytes;		/* for each process's keys */
} SsdparChildTask;

struct SsdparParticipant;

/*
 * How a process helps with one: it reads the range that was drawn, and more
 * while it can draw (ssdpar_participant_draw), and gives what it has found,
 * flat in the query's area; or InvalidDsaPointer for want of memory.
 */
typedef struct SsdparChildReader
{
	dsa_pointer (*read) (void *arg, const struct SsdparParticipant *self,
						 const SsdparChildTask *task, uint32 range);
	void	   *arg;
} SsdparChildReader;

/* What one process has of it. */
typedef struct SsdparParticipant
{
	SsdparParticipants *all;
	dsa_area   *area;			/* of the query */
	int			process;		/* number of this one, 0 the leader */
	SsdparChildReader child;
} SsdparParticipant;

/*
 * Attach.  True for the first process, which then makes the result and says
 * when that is done.  The others share its index reads until it is.
 */
extern bool ssdpar_participant_attach(const SsdparParticipant *self);
extern void ssdpar_participant_announce_done(const SsdparParticipant *self);
extern void ssdpar_participant_share_reads(const SsdparParticipant *self);

/*
 * For the process that makes the result: add the rows of the task to bitmap,
 * with the help of those that share the reads.  Returns how many processes
 * took part, in this task or one before.
 */
extern int	ssdpar_participant_read(const SsdparParticipant *self,
									const SsdparIndexTask *task,
									SsdparTidBitmap *bitmap,
									SsdparIndexCounts *counts);

/*
 * The same with a dimension, in steps.  Open its ranges; draw them, and read
 * them, until none is left, as the others do; then take what these deliver, one
 * after another, and free it: NULL after the last.
 */
extern void ssdpar_participant_open_child(const SsdparParticipant *self,
										  const SsdparChildTask *task);
extern bool ssdpar_participant_draw(const SsdparParticipant *self,
									uint32 *range);
extern void *ssdpar_participant_delivered(const SsdparParticipant *self,
										  dsa_pointer *flat);

/* Did all who read deliver?  Else what they have read is to be read again. */
extern bool ssdpar_participant_have_all(const SsdparParticipant *self);

/* The blocks of a range. */
extern void ssdpar_participant_blocks(const SsdparParticipant *self,
									  const SsdparChildTask *task,
									  uint32 range, BlockNumber *first,
									  BlockNumber *nblocks);

#endif							/* SSDPAR_PARTICIPANTS_H */
