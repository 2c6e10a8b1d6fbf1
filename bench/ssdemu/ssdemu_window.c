/*
 * ssdemu_window.c
 *		A limited number of places, kept as a heap of the times at which they
 *		become free.
 */
#include "ssdemu_window.h"

static void
swap(int64_t *a, int64_t *b)
{
	int64_t		kept = *a;

	*a = *b;
	*b = kept;
}

static void
sift_up(int64_t *ends, int at)
{
	for (; at > 0 && ends[at] < ends[(at - 1) / 2]; at = (at - 1) / 2)
		swap(ends + at, ends + (at - 1) / 2);
}

static void
sift_down(int64_t *ends, int count)
{
	int			at = 0;
	int			child;

	while ((child = 2 * at + 1) < count)
	{
		if (child + 1 < count && ends[child + 1] < ends[child])
			child++;
		if (ends[at] <= ends[child])
			return;
		swap(ends + at, ends + child);
		at = child;
	}
}

int64_t
ssdemu_window_enter(const SsdemuWindow *window, int64_t now)
{
	if (window->count < window->limit || window->ends[0] < now)
		return now;
	return window->ends[0];
}

void
ssdemu_window_add(SsdemuWindow *window, int64_t end)
{
	if (window->count < window->limit)
	{
		window->ends[window->count] = end;
		sift_up(window->ends, window->count++);
	}
	else if (end > window->ends[0])
	{
		window->ends[0] = end;
		sift_down(window->ends, window->count);
	}
}

int
ssdemu_window_inside(const SsdemuWindow *window, int64_t now)
{
	int			inside = 0;

	for (int i = 0; i < window->count; i++)
		inside += window->ends[i] > now;
	return inside;
}
