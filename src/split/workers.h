/*
 * workers.h
 *		Converts a number of subqueries to a number of parallel workers.
 */
#ifndef SSDPAR_SPLIT_WORKERS_H
#define SSDPAR_SPLIT_WORKERS_H

/*
 * Returns the maximum number of subqueries that the server's settings let run
 * at once.
 */
extern int	ssdpar_possible_subqueries(void);

/*
 * Returns the number of subqueries to plan for if the user requests wanted:
 * fewer, with one NOTICE for each statement, if the server cannot run them
 * all.
 */
extern int	ssdpar_limit_subqueries(int wanted);

/*
 * Tells the user, once for each statement, that the query cannot be split
 * because parallel queries are switched off, if that is the reason.
 */
extern void ssdpar_tell_if_parallel_off(void);

/*
 * Returns the number of workers for n subqueries; the leader may run one of
 * these.
 */
extern int	ssdpar_workers_for(int subqueries);

#endif							/* SSDPAR_SPLIT_WORKERS_H */
