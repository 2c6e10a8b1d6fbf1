/*
 * changed_settings.c
 *		Saves core's planner settings that we change while a statement is
 *		planned.
 *
 * We change the variables themselves (page_cost_override.c, parallel.c), for a
 * table or a path.  However, core's estimates may call functions of the query,
 * and such a function may set one of these variables, by its SET clause or by
 * set_config().  Then guc.c saves our value, and if the function fails,
 * restores it at the end, so the session would keep it.  Therefore, we save
 * the user's values before, at a separate GUC nest level, as a function's SET
 * clause does.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/guc.h"

#include "cost/changed_settings.h"

/* GUC nest level of the statement being planned; 0: nothing is saved. */
#define NOT_PLANNING (-1)
static int	level = NOT_PLANNING;

/*
 * Any value that all of these settings accept will do, because guc.c saves the
 * previous one.
 */
static void
put_aside(const char *name)
{
	(void) set_config_option(name, "1", PGC_USERSET, PGC_S_SESSION,
							 GUC_ACTION_SAVE, true, 0, false);
}

void
ssdpar_settings_put_aside(void)
{
	double		random_page = random_page_cost;
	double		seq_page = seq_page_cost;
	double		tuple = parallel_tuple_cost;
	bool		index_scans = enable_indexscan;
	bool		bitmap_scans = enable_bitmapscan;

	if (level != 0)
		return;
	level = NewGUCNestLevel();
	put_aside("random_page_cost");
	put_aside("seq_page_cost");
	put_aside("parallel_tuple_cost");
	put_aside("enable_indexscan");
	put_aside("enable_bitmapscan");
	random_page_cost = random_page;
	seq_page_cost = seq_page;
	parallel_tuple_cost = tuple;
	enable_indexscan = index_scans;
	enable_bitmapscan = bitmap_scans;
}

int
ssdpar_settings_begin(void)
{
	int			outer = level;

	level = 0;
	return outer;
}

/*
 * After an error, the settings are restored when the transaction ends,
 * including those that the failed function has changed, as without us.
 */
void
ssdpar_settings_end(int outer, bool succeeded)
{
	if (level > 0 && succeeded)
		AtEOXact_GUC(true, level);
	level = outer;
}
