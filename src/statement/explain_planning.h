/*
 * explain_planning.h
 *		Shows in EXPLAIN what planning a statement took.
 */
#ifndef SSDPAR_EXPLAIN_PLANNING_H
#define SSDPAR_EXPLAIN_PLANNING_H

#include "base/compat.h"
#include "base/notes.h"

/* Was there anything to do, and does EXPLAIN show times of planning? */
extern bool ssdpar_explain_planning_wanted(const ExplainState *es,
										   const SsdparNotes *notes);

extern void ssdpar_explain_planning(ExplainState *es,
									const SsdparNotes *notes);

#endif							/* SSDPAR_EXPLAIN_PLANNING_H */
