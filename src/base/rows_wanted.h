/*
 * rows_wanted.h
 *		Determines whether all rows of a query level's joins are needed.
 */
#ifndef SSDPAR_ROWS_WANTED_H
#define SSDPAR_ROWS_WANTED_H

#include "nodes/pathnodes.h"

/*
 * Must a node above the level's joins read all of their rows before it returns
 * the first one, if they are unordered?
 */
extern bool ssdpar_level_takes_all(const PlannerInfo *root);

/* Are all rows of the level's joins needed, as far as is known? */
extern bool ssdpar_all_rows_wanted(const PlannerInfo *root, bool ordered);

/*
 * The share (0 to 1) of a table's or join's rows that is expected to be read.
 * It is 1 if they are unordered and need sorting.  Otherwise it follows from
 * the LIMIT of the level or of one above, which reads at least as many of
 * these rows. A partition has the share of the whole table.
 */
extern double ssdpar_share_wanted(PlannerInfo *root, const RelOptInfo *rel,
								  bool ordered);

/*
 * May rows be fetched backward if the plan supports it?  For a cursor declared
 * neither SCROLL nor NO SCROLL, core uses any plan; for a SCROLL cursor, it
 * materializes the rows.
 */
extern bool ssdpar_may_go_backward(void);

/*
 * To be called when planning of a statement, possibly nested, begins and ends.
 * begin() returns the outer options, which end() restores.
 */
extern int	ssdpar_cursor_options_begin(int options);
extern void ssdpar_cursor_options_end(int outer);

/*
 * To be called when planning of a statement begins or ends, because a new
 * level may have the address of a freed one.
 */
extern void ssdpar_groups_made_forget(void);

#endif							/* SSDPAR_ROWS_WANTED_H */
