/*
 * changed_settings.c
 *		The planner settings of core's that we change while a statement is
 *		planned.
 *
 * The changes themselves are made to guc.c's variables (page_cost_override.c,
 * parallel.c): they last for a table or a path.  But core calls functions of
 * the query to estimate something, and one of these may set such a variable,
 * by its SET clause or by set_config().  What guc.c then puts aside is our
 * value, and where the function fails it comes back when all is over: the
 * session would keep it.  So the user's values are put aside before, at a level
 * of their own, as a function's SET clause does it.
 */
#include "postgres.h"

#include "optimizer/cost.h"
#include "optimizer/optimizer.h"
#include "utils/guc.h"

#include "cost/changed_settings.h"

/* guc.c's, of the statement being planned; 0: nothing is put aside. */
#define NOT_PLANNING (-1)
static int	level = NOT_PLANNING;

/* Any value that all of them take: put aside is what was there before. */
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
 * After an error all that is put aside comes back where the transaction ends,
 * what the function that has failed has set first: as it would be without us.
 */
void
ssdpar_settings_end(int outer, bool succeeded)
{
	if (level > 0 && succeeded)
		AtEOXact_GUC(true, level);
	level = outer;
}
