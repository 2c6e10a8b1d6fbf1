/*
 * ssb_load.h
 *		Loads the planned work over several connections, all or nothing.
 */
#ifndef SSB_LOAD_H
#define SSB_LOAD_H

#include "ssb_work.h"

#define SSB_MAX_JOBS 64

typedef struct SsbLoaded
{
	uint64_t	rows[SSB_NTABLES];
	double		seconds;
} SsbLoaded;

/*
 * False: nothing is loaded and the tables are as empty as before, or error
 * tells what has to be done.
 */
extern bool ssb_load(const char *conninfo, const SsbWork *work, int jobs,
					 SsbLoaded *loaded, SsbError *error);

/* Was the failure SIGINT or SIGTERM? */
extern bool ssb_load_interrupted(void);

#endif							/* SSB_LOAD_H */
