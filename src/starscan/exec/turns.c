/*
 * turns.c
 *		Scans of partitions on several devices, read in turn.
 *
 * Core's Append comes to the end of one partition before it begins the next,
 * so of several devices one would be busy.  Here there is an Append for each
 * device, and after a few pages of one comes the next: meanwhile the device is
 * at the requests that its scan has asked for ahead, by the depth of its own
 * profile.
 *
 * Next is always the device of whose pages the smallest share has been read.
 * All then come to their ends together, so the one that needs longest never
 * waits for others, whatever the speeds of the devices and the sizes of what
 * lies on them.  Sizes are the planner's: where these are wrong some device has
 * nothing left to do before the others have.
 *
 * A star scan hands up the slot pause when its turn is over (turn.h).  An
 * Append hands that up like any row.  Only scans that stand directly below the
 * source, or below its Append, are told to do so: no other node sees it.  What
 * is no star scan has its turn by rows.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "executor/executor.h"

#include "base/compat.h"
#include "starscan/exec/node.h"
#include "starscan/exec/turns.h"

/*
 * A device that is saturated by two requests has four pages asked for ahead: in
 * a turn of eight it would do nothing while the others have theirs.  Handing
 * over takes a tenth of a microsecond, a page some.
 */
#define TURN_PAGES 1

/* Rows on a page where the scan is no star scan. */
#define PAGE_ROWS 64

typedef struct Source
{
	PlanState  *rows;
	double		pages;			/* expected, at least 1 */
	double		read;			/* in turns so far */
	bool		ended;
} Source;

struct SsdparTurns
{
	TupleTableSlot *pause;
	int			nsources;
	Source	   *sources;
	Source	   *current;		/* NULL: none has its turn */
	Source	   *before;			/* that had the turn before */
	int			rows;			/* handed up in this turn */
	uint64		taken;
};

static double
scan_pages(PlanState *scan, TupleTableSlot *pause)
{
	double		pages = ssdpar_star_take_turns(scan, pause, TURN_PAGES);

	return pages >= 0 ? pages : scan->plan->plan_rows / PAGE_ROWS;
}

static double
source_pages(PlanState *rows, TupleTableSlot *pause)
{
	AppendState *append = (AppendState *) rows;
	double		pages = 0;

	if (!IsA(rows, AppendState))
		return Max(scan_pages(rows, pause), 1);
	for (int i = 0; i < append->as_nplans; i++)
		pages += scan_pages(append->appendplans[i], pause);
	return Max(pages, 1);
}

SsdparTurns *
ssdpar_turns_create(List *sources, EState *estate)
{
	SsdparTurns *turns = palloc0_object(SsdparTurns);
	TupleDesc	no_columns = CreateTemplateTupleDesc(0);
	ListCell   *lc;

	turns->pause = ExecInitExtraTupleSlot(estate, no_columns,
										  &TTSOpsVirtual);
	ExecStoreVirtualTuple(turns->pause);
	turns->nsources = list_length(sources);
	turns->sources = palloc0(turns->nsources * sizeof(Source));
	foreach(lc, sources)
	{
		Source	   *source = &turns->sources[foreach_current_index(lc)];

		source->rows = lfirst(lc);
		source->pages = source_pages(source->rows, turns->pause);
	}
	return turns;
}

/*
 * The one of whose pages the smallest share has been read; NULL: all are.  All
 * have a first turn before any has a second.  Processes begin with different
 * ones: collecting the keys, which the first scan does, keeps one device busy.
 */
static Source *
choose_source(SsdparTurns *turns)
{
	int			first = ParallelWorkerNumber + 1;
	Source	   *best = NULL;

	for (int i = 0; i < turns->nsources; i++)
	{
		Source	   *source =
			&turns->sources[(first + i) % turns->nsources];

		if (!source->ended && (best == NULL ||
							   source->read / source->pages <
							   best->read / best->pages))
			best = source;
	}
	return best;
}

static void
begin_turn(SsdparTurns *turns)
{
	Source	   *next = choose_source(turns);

	turns->taken += turns->before != NULL && next != NULL &&
		next != turns->before;
	turns->before = next;
	turns->current = next;
	turns->rows = 0;
}

static void
end_turn(SsdparTurns *turns)
{
	turns->current->read += TURN_PAGES;
	turns->current = NULL;
}

/* An Append has counted the pause as a row. */
static void
uncount_pause(PlanState *rows)
{
	if (IsA(rows, AppendState) && rows->instrument != NULL)
		rows->instrument->tuplecount -= 1;
}

TupleTableSlot *
ssdpar_turns_next(SsdparTurns *turns)
{
	for (;;)
	{
		TupleTableSlot *slot;

		if (turns->current == NULL)
			begin_turn(turns);
		if (turns->current == NULL)
			return NULL;
		slot = ExecProcNode(turns->current->rows);
		if (slot == turns->pause)
		{
			uncount_pause(turns->current->rows);
			end_turn(turns);
			continue;
		}
		if (TupIsNull(slot))
		{
			turns->current->ended = true;
			end_turn(turns);
			continue;
		}
		if (++turns->rows == PAGE_ROWS * TURN_PAGES)
			end_turn(turns);
		return slot;
	}
}

void
ssdpar_turns_restart(SsdparTurns *turns)
{
	turns->current = NULL;
	turns->before = NULL;
	for (int i = 0; i < turns->nsources; i++)
	{
		turns->sources[i].read = 0;
		turns->sources[i].ended = false;
	}
}

uint64
ssdpar_turns_taken(const SsdparTurns *turns)
{
	return turns->taken;
}
