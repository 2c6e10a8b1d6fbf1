/*
 * ring_restrict.h
 *		Restricts a ring to the operations that the daemon needs.
 */
#ifndef SSDPARD_RING_RESTRICT_H
#define SSDPARD_RING_RESTRICT_H

/*
 * Restricts a ring created with IORING_SETUP_R_DISABLED to READ and enables
 * it.  Returns 0 or a negative errno.
 */
extern int	ssdpard_ring_restrict(int ring_fd);

#endif							/* SSDPARD_RING_RESTRICT_H */
