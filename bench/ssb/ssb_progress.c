/*
 * ssb_progress.c
 *		Draws the bar or prints the line.
 */
#include "ssb_progress.h"

#include <stdio.h>
#include <unistd.h>

#define BAR_WIDTH 24
#define LINE_SECONDS 5.0

typedef struct State
{
	double		part;			/* done, 0 .. 1 */
	double		rows_per_second;
	double		seconds_left;
} State;

void
ssb_progress_start(SsbProgress *progress, uint64_t total_units)
{
	progress->total_units = total_units;
	atomic_store(&progress->units, 0);
	atomic_store(&progress->rows, 0);
	clock_gettime(CLOCK_MONOTONIC, &progress->start);
	progress->last_line = 0;
	progress->terminal = isatty(STDERR_FILENO);
	progress->bar_shown = false;
}

double
ssb_progress_seconds(const SsbProgress *progress)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double) (now.tv_sec - progress->start.tv_sec) +
		(double) (now.tv_nsec - progress->start.tv_nsec) / 1e9;
}

static State
take_state(SsbProgress *progress, double seconds)
{
	State		state = {0, 0, 0};
	uint64_t	units = atomic_load(&progress->units);

	if (progress->total_units > 0)
		state.part = (double) units / (double) progress->total_units;
	if (state.part > 1)
		state.part = 1;
	if (seconds > 0)
		state.rows_per_second =
			(double) atomic_load(&progress->rows) / seconds;
	if (state.part > 0)
		state.seconds_left = seconds * (1 - state.part) / state.part;
	return state;
}

static void
draw_bar(SsbProgress *progress, State state)
{
	char		bar[BAR_WIDTH + 1];
	int			full = (int) (state.part * BAR_WIDTH);

	for (int i = 0; i < BAR_WIDTH; i++)
		bar[i] = i < full ? '#' : '.';
	bar[BAR_WIDTH] = '\0';
	fprintf(stderr, "\r[%s] %5.1f %%  %.0f rows/s  %.0f s left\033[K", bar,
			100 * state.part, state.rows_per_second, state.seconds_left);
	fflush(stderr);
	progress->bar_shown = true;
}

void
ssb_progress_show(SsbProgress *progress)
{
	double		seconds = ssb_progress_seconds(progress);
	State		state = take_state(progress, seconds);

	if (progress->terminal)
		draw_bar(progress, state);
	else if (seconds - progress->last_line >= LINE_SECONDS)
	{
		fprintf(stderr, "ssbload: %.1f %%, %llu rows, %.0f rows/s, %.0f s "
				"left\n", 100 * state.part,
				(unsigned long long) atomic_load(&progress->rows),
				state.rows_per_second, state.seconds_left);
		progress->last_line = seconds;
	}
}

void
ssb_progress_end(SsbProgress *progress)
{
	if (progress->bar_shown)
		fputs("\r\033[K", stderr);
	progress->bar_shown = false;
}
