/*
 * rows_wanted.h
 *		Whether a query level's joins are asked for all of their rows.
 */
#ifndef SSDPAR_ROWS_WANTED_H
#define SSDPAR_ROWS_WANTED_H

#include "nodes/pathnodes.h"

/*
 * Has something above the level's joins to see all of their rows before it
 * gives the first one, if they come in no order?
 */
extern bool ssdpar_level_takes_all(const PlannerInfo *root);

/* Is every row of the level's joins asked for, as far as is known? */
extern bool ssdpar_all_rows_wanted(const PlannerInfo *root, bool ordered);

/*
 * The share (0 to 1) that is expected to be asked for of the rows of a table or
 * a join: all where they come in no order and that is needed, else by the LIMIT
 * of the level, or of one above, which wants at least as many of these.  Of a
 * partition as much as of all.
 */
extern double ssdpar_share_wanted(PlannerInfo *root, const RelOptInfo *rel,
								  bool ordered);

/*
 * May rows be asked for backward where the plan can give them so?  Of a cursor
 * that is declared neither SCROLL nor NO SCROLL core takes whatever plan there
 * is; of a SCROLL cursor it keeps the rows.
 */
extern bool ssdpar_may_go_backward(void);

/*
 * Planning a statement begins, perhaps amid another's, and ends; begin()
 * returns the outer statement's, for end().
 */
extern int	ssdpar_cursor_options_begin(int options);
extern void ssdpar_cursor_options_end(int outer);

/* Planning a statement begins or ends: a level may be where another was. */
extern void ssdpar_groups_made_forget(void);

#endif							/* SSDPAR_ROWS_WANTED_H */
