/*
 * scannable.c
 *		Checks which tables a star scan can read.
 */
#include "postgres.h"

#include "base/advice.h"
#include "base/core_scan.h"
#include "base/plain_table.h"
#include "starscan/plan/scannable.h"

/*
 * TIDs are only known to have their usual meaning in heaps.  A table whose
 * scan has been advised is left to core, which follows the advice.
 */
bool
ssdpar_is_scannable(PlannerInfo *root, RelOptInfo *rel)
{
	return ssdpar_is_plain_table(root, rel) &&
		!ssdpar_scan_is_advised(root, rel) &&
		bms_is_empty(rel->lateral_relids) && ssdpar_has_core_scan(rel) &&
		ssdpar_is_heap(root, rel);
}
