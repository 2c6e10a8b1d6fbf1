/*
 * explain_statement.h
 *		Shows in EXPLAIN (VERBOSE) why a star query was left to core, and
 *		the predicted time of a plan.
 */
#ifndef SSDPAR_EXPLAIN_STATEMENT_H
#define SSDPAR_EXPLAIN_STATEMENT_H

#include "commands/explain.h"
#include "executor/execdesc.h"

#include "base/compat.h"

/*
 * Explains one query as the server does, through the previous hook if there is
 * one, and adds the reason noted while planning it.
 */
extern void ssdpar_explain_query(ExplainOneQuery_hook_type explain,
								 Query *query, int cursor_options,
								 IntoClause *into, ExplainState *es,
								 const char *query_string,
								 ParamListInfo params,
								 QueryEnvironment *query_env);

/*
 * A query starts, or is about to end.  If it is the one being explained,
 * remembers the notes of its planning, and its run time if that was measured.
 */
extern void ssdpar_explain_note_start(QueryDesc *query);
extern void ssdpar_explain_note_end(QueryDesc *query);

#endif							/* SSDPAR_EXPLAIN_STATEMENT_H */
