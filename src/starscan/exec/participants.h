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

/* What one process has of it. */
typedef struct SsdparParticipant
{
	SsdparParticipants *all;
	dsa_area   *area;			/* of the query */
	int			process;		/* number of this one, 0 the leader */
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

#endif							/* SSDPAR_PARTICIPANTS_H */
