/*
 * join_rows.c
 *		Puts measured row counts into join relations.
 *
 * Core estimates the rows of a join relation when it first joins two others to
 * it, and makes their paths at once.  No hook comes between, but one after, so
 * the paths of the first two are made twice.  That it is not the first time is
 * seen by the number of rows, which is the one put there (GEQO makes the same
 * relation many times).  What core joins next to the same
 * relation, and all joins above, have the measured rows from the start: core
 * builds joins from the bottom up, in GEQO as well.
 */
#include "postgres.h"

#include "optimizer/paths.h"

#include "base/without.h"
#include "join_search/corrected_rows.h"
#include "join_search/join_rows.h"
#include "join_search/passes.h"

/*
 * The measured rows of the tables that are joined; NULL if they were not, or
 * paths cannot be made anew: of a join that was found to be empty the path has
 * been chosen, and one of foreign tables is made once only.
 */
static const SsdparKnownRows *
known_rows(PlannerInfo *root, RelOptInfo *joined)
{
	Relids		tables;
	const SsdparKnownRows *known;

	if (joined->reloptkind != RELOPT_JOINREL || joined->fdwroutine != NULL ||
		joined->cheapest_total_path != NULL)
		return NULL;
	tables = bms_intersect(joined->relids, root->all_baserels);
	known = ssdpar_known_rows(root, tables);
	bms_free(tables);
	return known;
}

/*
 * No path above has been made of these, nor has the cheapest been chosen.  They
 * are not freed: core's own functions may share parts of them.
 */
bool
ssdpar_put_join_rows(PlannerInfo *root, RelOptInfo *joined, RelOptInfo *outer,
					 RelOptInfo *inner, JoinType jointype,
					 JoinPathExtraData *extra)
{
	const SsdparKnownRows *known;
	List	   *paths = joined->pathlist;
	List	   *partial_paths = joined->partial_pathlist;
	double		rows;

	if (!ssdpar_is_second_pass() || ssdpar_without(SSDPAR_JOIN_ROWS) ||
		(known = known_rows(root, joined)) == NULL)
		return false;
	if (joined->rows == known->planned)
		return false;
	rows = ssdpar_corrected_rows(known, joined->rows);
	ssdpar_plan_with_rows(root, known->relids, rows);
	if (rows == joined->rows)
		return false;
	joined->rows = rows;
	joined->pathlist = NIL;
	joined->partial_pathlist = NIL;
	joined->ppilist = NIL;
	add_paths_to_joinrel(root, joined, outer, inner, jointype, extra->sjinfo,
						 extra->restrictlist);

	/* these two may join in one order only, and paths of the other be lost */
	if (joined->pathlist == NIL)
	{
		joined->pathlist = paths;
		joined->partial_pathlist = partial_paths;
	}
	return true;
}
