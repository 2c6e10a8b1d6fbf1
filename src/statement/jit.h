/*
 * jit.h
 *		Compiles a statement's expressions where that saves time.
 */
#ifndef SSDPAR_JIT_H
#define SSDPAR_JIT_H

#include "nodes/plannodes.h"

#include "base/notes.h"

/*
 * Set the plan's jitFlags, if the cost model has priced it and knows what
 * compiling takes here, and note why.  Else they stay the server's.
 */
extern void ssdpar_decide_jit(PlannedStmt *statement, SsdparNotes *notes);

#endif							/* SSDPAR_JIT_H */
