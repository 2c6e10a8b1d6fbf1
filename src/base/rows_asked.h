/*
 * rows_asked.h
 *		How many rows an execution is asked for.
 *
 * Core plans as if all of a query's rows were wanted; then PL/pgSQL's SELECT
 * INTO asks for one or two, and a client for as many as it fetches at a time.
 */
#ifndef SSDPAR_ROWS_ASKED_H
#define SSDPAR_ROWS_ASKED_H

/* Rows that the execution under way is to give at most; 0: all. */
extern uint64 ssdpar_rows_asked(void);

/* Around an execution, perhaps amid another one, whose number is returned. */
extern uint64 ssdpar_rows_asked_begin(uint64 count);
extern void ssdpar_rows_asked_end(uint64 outer);

#endif							/* SSDPAR_ROWS_ASKED_H */
