/*
 * participants.h
 *		Processes of a parallel star scan while its result is being made: the
 *		first one to attach makes it, the others share its index reads.
 */
#ifndef SSDPAR_PARTICIPANTS_H
#define SSDPAR_PARTICIPANTS_H

#include "starscan/exec/index_task.h"

/* In shared memory, for all planned processes.  */
typedef struct SsdparParticipants SsdparParticipants;

extern Size ssdpar_participants_size(int nprocesses);

/* Must be called before processes attach, or attach again.  */
extern void ssdpar_participants_init(SsdparParticipants *participants,
									 int nprocesses);

/* Returns the number of processes that have attached.  */
extern int	ssdpar_participants_attached(SsdparParticipants *participants);

/* A dimension that several processes read, by ranges of its blocks.  */
typedef struct SsdparChildTask
{
	int			reducer;
	BlockNumber nblocks;
	Size		max_bytes;		/* for each process's keys */
} SsdparChildTask;

struct SsdparParticipant;

/*
 * How a process helps to read a dimension.  The callback reads the drawn range
 * and more while it can draw some (ssdpar_participant_draw).  It returns what
 * it has found, flat in the query's area, or InvalidDsaPointer if there is no
 * memory.
 */
typedef struct SsdparChildReader
{
	dsa_pointer (*read) (void *arg, const struct SsdparParticipant *self,
						 const SsdparChildTask *task, uint32 range);
	void	   *arg;
} SsdparChildReader;

/* One process's view of the participants.  */
typedef struct SsdparParticipant
{
	SsdparParticipants *all;
	dsa_area   *area;			/* of the query */
	int			process;		/* number of this process; 0 is the leader */
	SsdparChildReader child;
} SsdparParticipant;

/*
 * Attaches.  Returns true for the first process, which then makes the result
 * and announces when it is done.  Until then the others share its index reads.
 */
extern bool ssdpar_participant_attach(const SsdparParticipant *self);
extern void ssdpar_participant_announce_done(const SsdparParticipant *self);
extern void ssdpar_participant_share_reads(const SsdparParticipant *self);

/*
 * For the maker: adds the rows of the task to bitmap, with the help of the
 * processes that share the reads.  Returns how many processes took part in
 * this or an earlier task.
 */
extern int	ssdpar_participant_read(const SsdparParticipant *self,
									const SsdparIndexTask *task,
									SsdparTidBitmap *bitmap,
									SsdparIndexCounts *counts);

/*
 * The same for a dimension, in steps.  The maker opens its ranges and, like
 * the others, draws and reads ranges until none is left.  Then it takes what
 * they deliver, one result at a time, and frees it; NULL after the last.
 */
extern void ssdpar_participant_open_child(const SsdparParticipant *self,
										  const SsdparChildTask *task);
extern bool ssdpar_participant_draw(const SsdparParticipant *self,
									uint32 *range);
extern void *ssdpar_participant_delivered(const SsdparParticipant *self,
										  dsa_pointer *flat);

/*
 * Did all readers deliver?  If not, everything they read has to be read again.
 */
extern bool ssdpar_participant_have_all(const SsdparParticipant *self);

/* Returns the blocks of a range.  */
extern void ssdpar_participant_blocks(const SsdparParticipant *self,
									  const SsdparChildTask *task,
									  uint32 range, BlockNumber *first,
									  BlockNumber *nblocks);

#endif							/* SSDPAR_PARTICIPANTS_H */
