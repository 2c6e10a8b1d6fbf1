/*
 * ring.c
 *		Reads with io_uring.
 *
 * All small reads go into one shared buffer: the contents are not used, and
 * copying to a buffer that stays in the CPU's cache is cheapest.
 *
 * For a large read, most of the cost is copying, which would be useless.
 * Therefore the kernel is asked for a large range with POSIX_FADV_WILLNEED,
 * which starts the reads and returns, and the ring reads one byte of the last
 * page.  This completes when the device has answered, so the depth stays
 * bounded and the latency can be measured.  bench/daemon-read-methods compares
 * the alternatives.
 *
 * If the kernel can defer completions until they are requested (Linux 6.1),
 * reads that are complete right after submission did not go to the device.
 *
 * A seccomp filter or a security module may forbid io_uring while the daemon
 * runs.  Outstanding reads then never end, so the ring is broken permanently.
 */
#include "ring.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <liburing.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "page_cache.h"
#include "ring_restrict.h"

/*
 * Submit in batches, so that the device need not wait until all are queued.
 */
#define SUBMIT_BATCH 16

/*
 * base.fd signals deferred completions; otherwise it is the ring's descriptor.
 */
typedef struct Ring
{
	SsdpardReader base;
	struct io_uring ring;
	char	   *discard;		/* destination of all reads */
} Ring;

static void
ring_queue(SsdpardReader *reader, int slot, int fd, uint64_t offset,
		   uint32_t length)
{
	Ring	   *ring = (Ring *) reader;
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->ring);
	uint32_t	stands_for = 1;

	/* there are as many entries as slots, and a slot is queued only once */
	assert(sqe != NULL);
	if (length > SSDPARD_SMALL)
	{
		ssdpard_page_cache_ask(fd, offset, length);
		offset += length - 1;
		stands_for = length;
		length = 1;
	}
	io_uring_prep_read(sqe, fd, ring->discard, length, offset);

	/* returned by the completion: the slot, and what 1 byte represents */
	io_uring_sqe_set_data64(sqe, (uint64_t) stands_for << 32 |
							(uint32_t) slot);

	/*
	 * ring_submit starts the ones that this cannot start, or reports an error
	 */
	if (io_uring_sq_ready(&ring->ring) % SUBMIT_BATCH == 0)
		(void) io_uring_submit(&ring->ring);
}

/*
 * Marks the ring as broken if RESULT of entering the kernel is an error that a
 * retry does not fix.
 */
static void
look_for_break(Ring *ring, int result)
{
	static const int passing[] = {EAGAIN, EBUSY, EINTR, ENOMEM};

	for (size_t i = 0; i < sizeof(passing) / sizeof(passing[0]); i++)
		if (result == -passing[i])
			return;
	if (result < 0)
		ring->base.broken = -result;
}

static bool
ring_submit(SsdpardReader *reader)
{
	Ring	   *ring = (Ring *) reader;
	int			result;

	if (io_uring_sq_ready(&ring->ring) == 0)
		return true;
	result = io_uring_submit(&ring->ring);
	look_for_break(ring, result);

	/* if short of memory, the kernel takes some and leaves the rest queued */
	return result >= 0 && io_uring_sq_ready(&ring->ring) == 0;
}

static void
ring_gather(SsdpardReader *reader)
{
	Ring	   *ring = (Ring *) reader;

	/* a temporary error is reported again with the next completions */
	if (reader->tells_cached)
		look_for_break(ring, io_uring_get_events(&ring->ring));
}

static bool
ring_take(SsdpardReader *reader, int *slot, int *result)
{
	Ring	   *ring = (Ring *) reader;
	struct io_uring_cqe *cqe;
	uint64_t	tag;

	/* peek reads shared memory without a system call */
	if (io_uring_peek_cqe(&ring->ring, &cqe) != 0)
		return false;
	tag = io_uring_cqe_get_data64(cqe);
	*slot = (int) (tag & UINT32_MAX);
	*result = cqe->res == 1 ? (int) (tag >> 32) : cqe->res;
	io_uring_cqe_seen(&ring->ring, cqe);
	return true;
}

static void
ring_close(SsdpardReader *reader)
{
	Ring	   *ring = (Ring *) reader;

	/* first: while the ring exists the kernel may write to the buffer */
	io_uring_queue_exit(&ring->ring);
	if (reader->tells_cached)
		close(reader->fd);
	free(ring->discard);
	free(ring);
}

static const SsdpardReaderMethod ring_method = {
	"io_uring", ring_queue, ring_submit, ring_gather, ring_take, ring_close,
};

/*
 * Creates a ring with as many features as this kernel has.  Restrictions came
 * with Linux 5.10 and deferred completions with 6.1, but a ring without them
 * works too.  Kernels return EINVAL for unknown flags.
 */
static int
make_ring(struct io_uring *ring, unsigned *flags)
{
	static const unsigned wanted[] = {
		IORING_SETUP_R_DISABLED | IORING_SETUP_SINGLE_ISSUER |
			IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_R_DISABLED,
		0,
	};
	int			result = -EINVAL;

	for (int i = 0; i < 3 && result != 0; i++)
	{
		*flags = wanted[i];
		result = io_uring_queue_init(SSDPARD_SLOTS, ring, wanted[i]);
	}
	return result;
}

/*
 * Deferred completions do not make the ring readable.  An eventfd signals
 * them; it must be registered before the ring is restricted.
 */
static int
watch_deferred(Ring *ring)
{
	int			fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	int			result;

	if (fd < 0)
		return -errno;
	result = io_uring_register_eventfd(&ring->ring, fd);
	if (result != 0)
	{
		close(fd);
		return result;
	}
	ring->base.fd = fd;
	ring->base.tells_cached = true;
	return 0;
}

/* Returns 0, or a negative errno and leaves nothing behind. */
static int
set_up(Ring *ring)
{
	unsigned	flags;
	struct io_uring_probe *probe;
	int			result = make_ring(&ring->ring, &flags);

	if (result != 0)
		return result;
	ring->base.fd = ring->ring.ring_fd;

	/* io_uring came with Linux 5.1, but its plain READ with 5.6 */
	probe = io_uring_get_probe_ring(&ring->ring);
	if (probe == NULL || !io_uring_opcode_supported(probe, IORING_OP_READ))
		result = -EOPNOTSUPP;
	if (probe != NULL)
		io_uring_free_probe(probe);

	if (result == 0 && (flags & IORING_SETUP_DEFER_TASKRUN) != 0)
		result = watch_deferred(ring);
	if (result == 0 && (flags & IORING_SETUP_R_DISABLED) != 0)
		result = ssdpard_ring_restrict(ring->ring.ring_fd);

	/* a filter may allow creating a ring but not using it */
	if (result == 0)
		result = io_uring_get_events(&ring->ring);
	if (result >= 0)
		return 0;
	if (ring->base.tells_cached)
		close(ring->base.fd);
	io_uring_queue_exit(&ring->ring);
	return result;
}

/* Explains how to enable io_uring, for each errno of a refusal. */
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
	ssdpard_fail(problem, "io_uring is not available (%s: %s)",
				 strerror(errnum), cause);
}

SsdpardReader *
ssdpard_ring_open(uint32_t max_bytes, char problem[SSDPARD_PROBLEM])
{
	Ring	   *ring = calloc(1, sizeof(*ring));
	int			result = -ENOMEM;

	if (ring != NULL)
		ring->discard = malloc(max_bytes);
	if (ring != NULL && ring->discard != NULL)
		result = set_up(ring);
	if (result == 0)
	{
		ring->base.method = &ring_method;
		return &ring->base;
	}
	explain(-result, problem);
	if (ring != NULL)
		free(ring->discard);
	free(ring);
	return NULL;
}
