/*
 * passes.h
 *		A statement is planned, measured, and planned again.
 */
#ifndef SSDPAR_PASSES_H
#define SSDPAR_PASSES_H

#include "nodes/pathnodes.h"

#include "sample/measure.h"

/*
 * Can planning this statement come to measuring row counts: is there a join,
 * or are there groups, and a table so large that its scans are priced?  Takes
 * microseconds, and reads the query only.
 */
extern bool ssdpar_may_measure(Query *parse);

/*
 * Planning a statement begins, and whether row counts may be measured for it.
 * Returns the state of the outer one, to be given back at the end, also after
 * an error.
 */
typedef struct SsdparPasses SsdparPasses;

extern SsdparPasses *ssdpar_passes_begin(bool may_measure);
extern void ssdpar_passes_end(SsdparPasses *outer);

/*
 * The statement has been planned: shall it be planned again, with what was
 * measured?  True once at most; the second pass has begun then.
 */
extern bool ssdpar_passes_again(void);

extern bool ssdpar_is_second_pass(void);

/*
 * Seconds that measuring may take for a query level that is predicted to take
 * so long if so many are at stake (stake.h); 0: none is to be measured.  At
 * little cost where the prediction alone says so.
 */
extern double ssdpar_measuring_budget(double predicted_seconds,
									  double at_stake);

/*
 * The data was asked, with or without success: that is so much less of the
 * budget.  Where that has failed, nothing else is to be asked while the
 * statement is planned, in any level.
 */
extern void ssdpar_passes_asked(const SsdparMeasured *measured);
extern bool ssdpar_passes_failed(void);

/* What was measured does or does not alter plans: does anything so far? */
extern void ssdpar_passes_measured(bool matters);
extern bool ssdpar_passes_matter(void);

/*
 * A query level is being planned.  The second pass is told, when it comes to
 * the level, which one of the first pass that was; NULL otherwise.
 */
extern PlannerInfo *ssdpar_passes_enter_level(PlannerInfo *root);

#endif							/* SSDPAR_PASSES_H */
