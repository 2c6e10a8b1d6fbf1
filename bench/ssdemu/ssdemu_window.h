/*
 * ssdemu_window.h
 *		A place that holds a limited number of things at a time: the device's
 *		command queue, its write buffer.
 *
 * A thing is known by the time it leaves.  Only the last LIMIT times to leave
 * matter to who comes next: while one of these is not over, the place is full.
 */
#ifndef SSDEMU_WINDOW_H
#define SSDEMU_WINDOW_H

#include <stdint.h>

#define SSDEMU_WINDOW_MAX 8192

typedef struct SsdemuWindow
{
	int			limit;			/* 1 to SSDEMU_WINDOW_MAX */
	int			count;			/* of ends that are kept, at most limit */
	int64_t		ends[SSDEMU_WINDOW_MAX];	/* a heap, smallest first */
} SsdemuWindow;

/* The first time, NOW or later, at which one more finds room. */
extern int64_t ssdemu_window_enter(const SsdemuWindow *window, int64_t now);

/* One more is inside, until END. */
extern void ssdemu_window_add(SsdemuWindow *window, int64_t end);

/* How many are inside at NOW, at most the limit. */
extern int	ssdemu_window_inside(const SsdemuWindow *window, int64_t now);

#endif							/* SSDEMU_WINDOW_H */
