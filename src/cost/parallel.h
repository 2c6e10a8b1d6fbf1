/*
 * parallel.h
 *		How core shares work among parallel workers.
 */
#ifndef SSDPAR_PARALLEL_H
#define SSDPAR_PARALLEL_H

/*
 * What core divides rows and CPU costs by for that many workers: the leader
 * does a part of the work, less the more workers it gathers from.
 */
extern double ssdpar_parallel_divisor(int workers);

/*
 * From use to the end of the statement being planned a row that a worker hands
 * to the leader costs what it takes, unless the user has set another
 * parallel_tuple_cost.  begin and end stand around the planning of a statement,
 * which may be amid another's: they give that one its own again.
 */
extern void ssdpar_tuple_cost_use(void);
extern double ssdpar_tuple_cost_begin(void);
extern void ssdpar_tuple_cost_end(double outer);

/* The user's parallel_tuple_cost from here on. */
extern void ssdpar_tuple_cost_put_back(void);

#endif							/* SSDPAR_PARALLEL_H */
