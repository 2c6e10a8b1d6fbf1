/*
 * explain_busy.h
 *		Shows in EXPLAIN what was busy.
 */
#ifndef SSDPAR_EXPLAIN_BUSY_H
#define SSDPAR_EXPLAIN_BUSY_H

#include "commands/explain.h"

#include "device/busy.h"

/* Shows nothing if no time has passed. */
extern void ssdpar_explain_busy(const char *label, const SsdparBusy *busy,
								ExplainState *es);

#endif							/* SSDPAR_EXPLAIN_BUSY_H */
