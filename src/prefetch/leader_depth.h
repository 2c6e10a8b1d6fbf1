/*
 * leader_depth.h
 *		Communicates the depth of a tablespace from a leader to its parallel
 *		workers.
 */
#ifndef SSDPAR_LEADER_DEPTH_H
#define SSDPAR_LEADER_DEPTH_H

/* Stores the depth for workers that this process starts; 0: unknown. */
extern void ssdpar_leader_depth_tell(Oid tablespace, int depth);

/* In a worker: the depth stored by its leader, or 0. */
extern int	ssdpar_leader_depth(Oid tablespace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_leader_depth_shmem_size(void);
extern void ssdpar_leader_depth_shmem_init(void *part);

#endif							/* SSDPAR_LEADER_DEPTH_H */
