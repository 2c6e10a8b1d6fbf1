/*
 * known_rows.c
 *		Row counts that were measured, by query level.
 *
 * Query levels are planned within each other (subqueries, functions that plan
 * statements of their own), so the levels are a list and an entry is found by
 * its PlannerInfo.  There are some dozens of entries a level at most.
 */
#include "postgres.h"

#include "rowcount/known_rows.h"

typedef struct Level
{
	PlannerInfo *root;
	List	   *rows;			/* SsdparKnownRows */
	List	   *shares;			/* SsdparKnownShare */
} Level;

/* Of the statement being planned; its parts live where each was measured. */
static List *levels = NIL;

static Level *
find_level(PlannerInfo *root)
{
	ListCell   *lc;

	foreach(lc, levels)
	{
		Level	   *level = lfirst(lc);

		if (level->root == root)
			return level;
	}
	return NULL;
}

static Level *
make_level(PlannerInfo *root)
{
	Level	   *level = find_level(root);

	if (level == NULL)
	{
		level = palloc0_object(Level);
		level->root = root;
		levels = lappend(levels, level);
	}
	return level;
}

void
ssdpar_know_rows(PlannerInfo *root, const SsdparKnownRows *known)
{
	Level	   *level = make_level(root);
	SsdparKnownRows *copy = palloc_object(SsdparKnownRows);

	Assert(!bms_is_empty(known->relids) && known->rows >= 0);
	*copy = *known;
	copy->relids = bms_copy(known->relids);
	copy->guessed = bms_copy(known->guessed);
	level->rows = lappend(level->rows, copy);
}

void
ssdpar_know_share(PlannerInfo *root, const SsdparKnownShare *known)
{
	Level	   *level = make_level(root);
	SsdparKnownShare *copy = palloc_object(SsdparKnownShare);

	Assert(known->share >= 0 && known->share <= 1);
	*copy = *known;
	copy->dimensions = bms_copy(known->dimensions);
	level->shares = lappend(level->shares, copy);
}

static SsdparKnownRows *
find_rows(PlannerInfo *root, Relids relids)
{
	Level	   *level = find_level(root);
	SsdparKnownRows *found = NULL;
	ListCell   *lc;

	if (level == NULL)
		return NULL;
	foreach(lc, level->rows)
	{
		SsdparKnownRows *known = lfirst(lc);

		if (bms_equal(known->relids, relids))
			found = known;
	}
	return found;
}

const SsdparKnownRows *
ssdpar_known_rows(PlannerInfo *root, Relids relids)
{
	return find_rows(root, relids);
}

void
ssdpar_note_assumed_rows(PlannerInfo *root, Relids relids, double rows)
{
	find_rows(root, relids)->assumed = rows;
}

void
ssdpar_plan_with_rows(PlannerInfo *root, Relids relids, double rows)
{
	find_rows(root, relids)->planned = rows;
}

const SsdparKnownShare *
ssdpar_known_share(PlannerInfo *root, Index target, Relids dimensions)
{
	Level	   *level = find_level(root);
	const SsdparKnownShare *found = NULL;
	ListCell   *lc;

	if (level == NULL)
		return NULL;
	foreach(lc, level->shares)
	{
		const SsdparKnownShare *known = lfirst(lc);

		if (known->target == target &&
			bms_equal(known->dimensions, dimensions))
			found = known;
	}
	return found;
}

List *
ssdpar_all_known_rows(PlannerInfo *root)
{
	Level	   *level = find_level(root);

	return level == NULL ? NIL : level->rows;
}

void
ssdpar_pass_on_known_rows(PlannerInfo *from, PlannerInfo *to)
{
	Level	   *level = find_level(from);

	Assert(find_level(to) == NULL);
	if (level != NULL)
		level->root = to;
}

List *
ssdpar_all_known_shares(PlannerInfo *root)
{
	Level	   *level = find_level(root);

	return level == NULL ? NIL : level->shares;
}

List *
ssdpar_known_rows_begin(void)
{
	List	   *outer = levels;

	levels = NIL;
	return outer;
}

void
ssdpar_known_rows_end(List *outer)
{
	levels = outer;
}
