/*
 * parallel.h
 *		Divides work among parallel workers as core does, and prices their
 *		rows.
 */
#ifndef SSDPAR_PARALLEL_H
#define SSDPAR_PARALLEL_H

/*
 * The number by which core divides rows and CPU costs.  The leader does part
 * of the work, less if it gathers from more workers.
 */
extern double ssdpar_parallel_divisor(int workers);

/*
 * From use() until the end of the statement being planned, passing a row to
 * the leader costs what was measured, unless the user has set
 * parallel_tuple_cost. begin() and end() are called around planning of a
 * statement, possibly nested; end() restores the outer statement's price.
 */
extern void ssdpar_tuple_cost_use(void);
extern double ssdpar_tuple_cost_begin(void);
extern void ssdpar_tuple_cost_end(double outer);

/* Restores the user's parallel_tuple_cost. */
extern void ssdpar_tuple_cost_put_back(void);

#endif							/* SSDPAR_PARALLEL_H */
