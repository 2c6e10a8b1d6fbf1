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

#endif							/* SSDPAR_PARALLEL_H */
