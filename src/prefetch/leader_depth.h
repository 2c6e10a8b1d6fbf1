/*
 * leader_depth.h
 *		The depth of a tablespace, told by a leader to its parallel workers.
 */
#ifndef SSDPAR_LEADER_DEPTH_H
#define SSDPAR_LEADER_DEPTH_H

/* What workers that this process starts are to know; 0: nothing is known. */
extern void ssdpar_leader_depth_tell(Oid tablespace, int depth);

/* In a worker: what its leader has said, or 0. */
extern int	ssdpar_leader_depth(Oid tablespace);

/* For the hooks of the same names. */
extern void ssdpar_leader_depth_request_shmem(void);
extern void ssdpar_leader_depth_attach_shmem(void);

#endif							/* SSDPAR_LEADER_DEPTH_H */
