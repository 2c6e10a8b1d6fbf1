/*
 * workers.h
 *		From a number of subqueries to a number of parallel workers.
 */
#ifndef SSDPAR_SPLIT_WORKERS_H
#define SSDPAR_SPLIT_WORKERS_H

/* The most subqueries that this server's settings let run at once. */
extern int	ssdpar_possible_subqueries(void);

/*
 * The number of subqueries to plan for when the user asks for a number: fewer,
 * with one NOTICE a statement, when the server cannot run them all.
 */
extern int	ssdpar_limit_subqueries(int wanted);

/*
 * Say, once a statement, that the query cannot be split because parallel
 * query is switched off, if that is why.
 */
extern void ssdpar_tell_if_parallel_off(void);

/* Workers that n subqueries take: the leader may run one of them. */
extern int	ssdpar_workers_for(int subqueries);

#endif							/* SSDPAR_SPLIT_WORKERS_H */
