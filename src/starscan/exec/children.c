/*
 * children.c
 *		Starts and rescans the child plans that read the dimensions.
 *
 * Each dimension is read once from beginning to end, so the children need not
 * support backward scans, marks or rewinding.
 */
#include "postgres.h"

#include "executor/executor.h"
#include "nodes/plannodes.h"

#include "starscan/exec/children.h"

SsdparStarChild *
ssdpar_star_children_init(CustomScanState *css, int n, EState *estate,
						  int eflags)
{
	List	   *plans = ((CustomScan *) css->ss.ps.plan)->custom_plans;
	SsdparStarChild *children = palloc0(n * sizeof(SsdparStarChild));

	if (list_length(plans) < n)
		elog(ERROR, "star scan has %d plans for %d reducers",
			 list_length(plans), n);
	eflags &= ~(EXEC_FLAG_BACKWARD | EXEC_FLAG_MARK | EXEC_FLAG_REWIND);
	for (int i = 0; i < n; i++)
	{
		children[i].plan = ExecInitNode(list_nth(plans, i), estate, eflags);
		css->custom_ps = lappend(css->custom_ps, children[i].plan);
	}
	return children;
}

bool
ssdpar_star_children_change(SsdparStarChild *children, int n, PlanState *node)
{
	bool		changed = false;

	for (int i = 0; i < n; i++)
	{
		PlanState  *child = children[i].plan;

		if (node->chgParam != NULL)
			UpdateChangedParamSet(child, node->chgParam);
		changed |= child->chgParam != NULL;
	}
	return changed;
}
