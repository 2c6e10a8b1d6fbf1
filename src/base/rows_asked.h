/*
 * rows_asked.h
 *		How many rows an execution is asked for.
 *
 * PL/pgSQL's SELECT INTO is planned as if all rows were wanted, and wants one.
 */
#ifndef SSDPAR_ROWS_ASKED_H
#define SSDPAR_ROWS_ASKED_H

/* Rows that SPI asks the execution under way for; 0: all, or somebody else. */
extern uint64 ssdpar_rows_asked(void);

/* Around an execution, perhaps amid another one, whose number is returned. */
extern uint64 ssdpar_rows_asked_begin(uint64 count);
extern void ssdpar_rows_asked_end(uint64 outer);

#endif							/* SSDPAR_ROWS_ASKED_H */
