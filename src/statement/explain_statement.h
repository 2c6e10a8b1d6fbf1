/*
 * explain_statement.h
 *		EXPLAIN (VERBOSE) says why a star query was left to core, and how long
 *		a plan was predicted to take.
 */
#ifndef SSDPAR_EXPLAIN_STATEMENT_H
#define SSDPAR_EXPLAIN_STATEMENT_H

#include "commands/explain.h"
#include "executor/execdesc.h"

#include "base/compat.h"

/*
 * Explain one query as the server does, by the hook's previous holder if there
 * is one, and add the reason that planning it left.
 */
extern void ssdpar_explain_query(ExplainOneQuery_hook_type explain,
								 Query *query, int cursor_options,
								 IntoClause *into, ExplainState *es,
								 const char *query_string,
								 ParamListInfo params,
								 QueryEnvironment *query_env);

/*
 * A query starts, and is about to end: if it is the one that is explained,
 * remember what planning it left, and how long it ran, if that was measured.
 */
extern void ssdpar_explain_note_start(QueryDesc *query);
extern void ssdpar_explain_note_end(QueryDesc *query);

#endif							/* SSDPAR_EXPLAIN_STATEMENT_H */
