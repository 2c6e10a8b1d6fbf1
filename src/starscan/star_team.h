/*
 * star_team.h
 *		The processes of a parallel star scan while its result is being made:
 *		one makes it, the others help or wait.
 */
#ifndef SSDPAR_STAR_TEAM_H
#define SSDPAR_STAR_TEAM_H

#include "starscan/index_rows.h"
#include "starscan/star_state.h"

/* In shared memory, for so many processes. */
typedef struct SsdparStarTeam SsdparStarTeam;

extern Size ssdpar_star_team_size(int nprocesses);

/* Before the processes come, or come again. */
extern void ssdpar_star_team_init(SsdparStarTeam *team, int nprocesses);

/* Make the result, or help whoever does until it is there. */
extern void ssdpar_star_share_result(SsdparStarState *state);

/* Processes that have come so far. */
extern int	ssdpar_star_team_present(SsdparStarTeam *team);

/* What an index is asked for: the rows of integer keys, ascending. */
typedef struct SsdparStarTask
{
	Relation	index;
	const int64 *keys;
	uint64		nkeys;
	BlockNumber nblocks;		/* of the fact, and of set */
	Size		set_bytes;		/* that set may take, in each process */
	const SsdparTidSet *within; /* what set is within, or NULL */
} SsdparStarTask;

/*
 * Add the rows to set, with the help of those that wait for the result; for
 * the process that makes it.  Returns how many processes took part.
 */
extern int	ssdpar_star_team_read(SsdparStarState *state,
								  const SsdparStarTask *task,
								  SsdparTidSet *set,
								  SsdparIndexCounts *counts);

#endif							/* SSDPAR_STAR_TEAM_H */
