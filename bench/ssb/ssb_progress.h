/*
 * ssb_progress.h
 *		Reports the progress of a load on standard error: a bar on a terminal,
 *		otherwise a line every five seconds.
 */
#ifndef SSB_PROGRESS_H
#define SSB_PROGRESS_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

typedef struct SsbProgress
{
	uint64_t	total_units;
	_Atomic uint64_t units;		/* done; written by the streams */
	_Atomic uint64_t rows;
	struct timespec start;
	double		last_line;		/* seconds after start */
	bool		terminal;
	bool		bar_shown;
} SsbProgress;

extern void ssb_progress_start(SsbProgress *progress, uint64_t total_units);
extern double ssb_progress_seconds(const SsbProgress *progress);

/* Shows the state if it is time to; to be called several times per second. */
extern void ssb_progress_show(SsbProgress *progress);

/* Erases the bar, so that the following text starts on an empty line. */
extern void ssb_progress_end(SsbProgress *progress);

#endif							/* SSB_PROGRESS_H */
