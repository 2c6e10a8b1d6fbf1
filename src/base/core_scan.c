/*
 * core_scan.c
 *		Determines which tables are read by core's scans.
 *
 * TimescaleDB keeps most rows of a compressed chunk in another table.  The
 * chunk remains a heap with indexes and a file for rows inserted later, and
 * its paths are replaced by paths that read both.  Only these paths reveal it.
 */
#include "postgres.h"

#include "nodes/extensible.h"

#include "base/core_scan.h"

/* Prefix of all our node names (custom_scan/names.h). */
#define OURS "Ssdpar"

/* Skips Gather and sorts, but not Append, which may read other relations. */
static const Path *
below(const Path *path)
{
	for (;;)
	{
		switch (nodeTag(path))
		{
			case T_GatherPath:
				path = ((const GatherPath *) path)->subpath;
				break;
			case T_GatherMergePath:
				path = ((const GatherMergePath *) path)->subpath;
				break;
			case T_SortPath:
			case T_IncrementalSortPath:
				path = ((const SortPath *) path)->subpath;
				break;
			case T_ProjectionPath:
				path = ((const ProjectionPath *) path)->subpath;
				break;
			default:
				return path;
		}
	}
}

static bool
is_core_scan(const Path *path)
{
	switch (nodeTag(path))
	{
		case T_Path:
			return path->pathtype == T_SeqScan;
		case T_IndexPath:
		case T_BitmapHeapPath:
		case T_TidPath:
		case T_TidRangePath:
			return true;
		case T_CustomPath:
			return strncmp(((const CustomPath *) path)->methods->CustomName,
						   OURS, strlen(OURS)) == 0;
		default:
			return false;
	}
}

bool
ssdpar_has_core_scan(const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, rel->pathlist)
		if (is_core_scan(below(lfirst(lc))))
			return true;
	return false;
}
