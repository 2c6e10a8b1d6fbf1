/*
 * ring_restrict.c
 *		Restricts a ring to the operations that the daemon needs.
 *
 * The daemon holds descriptors of the server's data files.  Even if it were
 * made to queue something else than a READ, it could not write, connect or
 * open, because the kernel would refuse it.
 *
 * Debian 12's liburing 2.3 declares the functions for this, but its shared
 * library lacks them, so the system call is made here.
 */
#include "ring_restrict.h"

#include <errno.h>
#include <liburing.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

static int
register_with(int ring_fd, unsigned operation, void *argument,
			  unsigned count)
{
	return syscall(__NR_io_uring_register, ring_fd, operation, argument,
				   count) < 0 ? -errno : 0;
}

int
ssdpard_ring_restrict(int ring_fd)
{
	struct io_uring_restriction restrictions[2];
	int			result;

	/* only READ, and without flags: no links, no registered files */
	memset(restrictions, 0, sizeof(restrictions));
	restrictions[0].opcode = IORING_RESTRICTION_SQE_OP;
	restrictions[0].sqe_op = IORING_OP_READ;
	restrictions[1].opcode = IORING_RESTRICTION_SQE_FLAGS_ALLOWED;
	restrictions[1].sqe_flags = 0;
	result = register_with(ring_fd, IORING_REGISTER_RESTRICTIONS,
						   restrictions, 2);

	/* the kernel accepts restrictions only before the ring is enabled */
	if (result != 0)
		return result;
	return register_with(ring_fd, IORING_REGISTER_ENABLE_RINGS, NULL, 0);
}
