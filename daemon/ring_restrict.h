/*
 * ring_restrict.h
 *		Takes from a ring what the daemon does not need.
 */
#ifndef SSDPARD_RING_RESTRICT_H
#define SSDPARD_RING_RESTRICT_H

/*
 * Lets a ring made with IORING_SETUP_R_DISABLED do nothing but READ from now
 * on, and enables it.  0, or a negative errno.
 */
extern int	ssdpard_ring_restrict(int ring_fd);

#endif							/* SSDPARD_RING_RESTRICT_H */
