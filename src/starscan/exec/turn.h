/*
 * turn.h
 *		How far one of several scans goes before the others have their turn.
 *
 * Pages count, not rows: a device has nothing to do if its scan is not asked
 * for pages for as long as another one finds no row.
 */
#ifndef SSDPAR_TURN_H
#define SSDPAR_TURN_H

#include "c.h"

/*
 * Invariant: 0 <= left <= pages.  over: a page was wanted and none was left,
 * which nobody has taken note of yet.
 */
typedef struct SsdparTurn
{
	int			pages;			/* in a turn; 0: the scan is alone */
	int			left;
	bool		over;
} SsdparTurn;

/* May the scan go to another page?  If not it has to return. */
static inline bool
ssdpar_turn_has_page(SsdparTurn *turn)
{
	if (turn->pages == 0)
		return true;
	turn->over = turn->left == 0;
	if (!turn->over)
		turn->left--;
	return !turn->over;
}

/*
 * The scan has asked for pages ahead and would wait for the first of them: must
 * it return?  So all devices are asked before any is waited for.
 */
static inline bool
ssdpar_turn_ends(SsdparTurn *turn)
{
	turn->left = 0;
	turn->over = turn->pages > 0;
	return turn->over;
}

/* Was that why it returned?  Then the next turn begins. */
static inline bool
ssdpar_turn_was_over(SsdparTurn *turn)
{
	bool		over = turn->over;

	turn->over = false;
	if (over)
		turn->left = turn->pages;
	return over;
}

#endif							/* SSDPAR_TURN_H */
