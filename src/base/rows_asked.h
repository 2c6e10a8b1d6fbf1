/*
 * rows_asked.h
 *		The number of rows that an execution is asked for.
 *
 * PL/pgSQL's SELECT INTO is planned for all rows, but fetches only one.
 */
#ifndef SSDPAR_ROWS_ASKED_H
#define SSDPAR_ROWS_ASKED_H

/*
 * Rows that SPI requests from the running execution; 0 if all, or not by SPI.
 */
extern uint64 ssdpar_rows_asked(void);

/*
 * To be called around an execution, possibly nested; begin() returns the outer
 * number.
 */
extern uint64 ssdpar_rows_asked_begin(uint64 count);
extern void ssdpar_rows_asked_end(uint64 outer);

#endif							/* SSDPAR_ROWS_ASKED_H */
