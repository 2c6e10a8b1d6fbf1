/*
 * ring.c
 *		Reads by io_uring.
 *
 * All reads share one buffer: nobody looks at what is in it, and one that
 * stays in the CPU's cache is the cheapest to copy to.
 */
#include <errno.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "log.h"
#include "reader.h"

typedef struct Ring
{
	SsdpardReader base;
	struct io_uring ring;
	char *sink;
} Ring;

static void
ring_queue(SsdpardReader *reader, int slot, int fd, uint64_t offset,
		   uint32_t length)
{
	Ring *ring = (Ring *) reader;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->ring);

	/* there are as many entries as slots, and a slot is queued once */
	io_uring_prep_read(sqe, fd, ring->sink, length, offset);
	io_uring_sqe_set_data64(sqe, (uint64_t) slot);
}

static bool
ring_submit(SsdpardReader *reader)
{
	Ring *ring = (Ring *) reader;

	if (io_uring_sq_ready(&ring->ring) == 0)
		return true;
	return io_uring_submit(&ring->ring) >= 0 &&
		io_uring_sq_ready(&ring->ring) == 0;
}

static bool
ring_take(SsdpardReader *reader, int *slot, int *result)
{
	Ring *ring = (Ring *) reader;
	struct io_uring_cqe *cqe;

	if (io_uring_peek_cqe(&ring->ring, &cqe) != 0)
		return false;
	*slot = (int) io_uring_cqe_get_data64(cqe);
	*result = cqe->res;
	io_uring_cqe_seen(&ring->ring, cqe);
	return true;
}

static void
ring_close(SsdpardReader *reader)
{
	Ring *ring = (Ring *) reader;

	io_uring_queue_exit(&ring->ring);
	free(ring->sink);
	free(ring);
}

static const SsdpardReaderMethod ring_method = {
	"io_uring", ring_queue, ring_submit, ring_take, ring_close,
};

static void
explain(int errnum, char *problem)
{
	const char *cause = "look into the kernel's log";

	if (errnum == EPERM || errnum == EACCES)
		cause = "the sysctl kernel.io_uring_disabled or a seccomp filter "
			"forbids it";
	else if (errnum == ENOSYS)
		cause = "the kernel has none, or a seccomp filter hides it";
	else if (errnum == ENOMEM)
		cause = "raise the limit for locked memory (LimitMEMLOCK) to 1 MB";
	else if (errnum == EMFILE || errnum == ENFILE)
		cause = "raise the limit for open files (LimitNOFILE)";
	else if (errnum == EOPNOTSUPP)
		cause = "its plain read needs Linux 5.6";
	snprintf(problem, SSDPARD_PROBLEM, "io_uring cannot be had (%s: %s)",
			 strerror(errnum), cause);
}

static bool
can_read(struct io_uring *ring)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(ring);
	bool good = probe != NULL &&
		io_uring_opcode_supported(probe, IORING_OP_READ);

	if (probe != NULL)
		io_uring_free_probe(probe);
	return good;
}

/* Restrictions came with Linux 5.10; a ring without them reads as well. */
static int
set_up(struct io_uring *ring)
{
	int result = io_uring_queue_init(SSDPARD_SLOTS, ring,
									 IORING_SETUP_R_DISABLED);

	if (result == 0 && !can_read(ring))
		result = -EOPNOTSUPP;
	else if (result == 0)
		result = ssdpard_ring_restrict(ring->ring_fd);
	else
	{
		result = io_uring_queue_init(SSDPARD_SLOTS, ring, 0);
		if (result != 0)
			return result;
		result = can_read(ring) ? 0 : -EOPNOTSUPP;
	}
	if (result != 0)
		io_uring_queue_exit(ring);
	return result;
}

SsdpardReader *
ssdpard_ring_open(uint32_t sink_bytes, char problem[SSDPARD_PROBLEM])
{
	Ring *ring = calloc(1, sizeof(*ring));
	int result = -ENOMEM;

	if (ring != NULL)
		ring->sink = malloc(sink_bytes);
	if (ring != NULL && ring->sink != NULL)
		result = set_up(&ring->ring);
	if (result == 0)
	{
		ring->base.method = &ring_method;
		ring->base.fd = ring->ring.ring_fd;
		return &ring->base;
	}
	explain(-result, problem);
	if (ring != NULL)
		free(ring->sink);
	free(ring);
	return NULL;
}
