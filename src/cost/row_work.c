/*
 * row_work.c
 *		What grouping takes, by what it does with each row.
 *
 * The numbers of operators are measured, on the reference machine with rows
 * that the caches hold (docs/internals/cost-model.md); an operator of the
 * planner's is 13 ns there.
 */
#include "cost/row_work.h"

#include "cost/model.h"

/*
 * Of a row that is looked up in a table of groups: hashing, finding, and
 * comparing with the group by an expression are five; core counts one.
 */
#define LOOK_UP 4.0

/*
 * A row visits its bucket and its group.  A new group lies where the last one
 * does, but moves to another bucket when the table grows, and is visited when
 * it is handed out.  Buckets and groups lie in the same caches.
 */
SsdparGroupSeconds
ssdpar_group_seconds(const SsdparMachine *machine, const SsdparGroupWork *work)
{
	double		access = ssdpar_model_access_seconds(machine, work->bytes);
	double		states = work->has_states ? 1.0 : 0.0;
	SsdparGroupSeconds seconds;

	seconds.filling = work->rows *
		(LOOK_UP * work->operator_seconds + (2.0 + states) * access);
	seconds.giving = work->groups * (1.0 + states) * access;
	return seconds;
}
