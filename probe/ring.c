/*
 * ring.c
 *		The engine's use of io_uring.
 *
 * It handles requests, slots and errors of the ring; load.c decides whether a
 * request succeeded.  The daemon's ring is not used, because that reads
 * through the page cache, which this must not do.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "ring.h"

#include <assert.h>
#include <errno.h>
#include <string.h>
#include <sys/mman.h>

/* user_data of the timeout request; differs from every slot */
#define TICK UINT64_MAX

/*
 * Ticks without a completion, 10 s, after which the device is considered hung.
 * Not less, because a slow one may need seconds for 256 requests that it
 * completes together.
 */
#define PATIENCE 200

/* One hint per errno, because the remedy depends on what refused it. */
static void
explain_setup_errno(int errnum, ProbeError *error)
{
	ssdpar_probe_error(error,
					   errnum == ENOMEM ? PROBE_NO_MEMORY
					   : PROBE_NOT_SUPPORTED,
					   "could not set up io_uring: %s", strerror(errnum));
	switch (errnum)
	{
		case EPERM:
			ssdpar_probe_detail(error, "The system forbids io_uring to this "
								"user, without which queue depth cannot be "
								"measured.");
			ssdpar_probe_hint(error, "Set the sysctl kernel.io_uring_disabled "
							  "to 0, or, in a container, allow "
							  "io_uring_setup, io_uring_enter and "
							  "io_uring_register in its seccomp profile.");
			break;
		case ENOSYS:
			ssdpar_probe_detail(error, "The kernel has no io_uring (it came "
								"with Linux 5.1), or a seccomp filter hides "
								"it.");
			ssdpar_probe_hint(error, "Use a kernel built with "
							  "CONFIG_IO_URING, or allow the io_uring system "
							  "calls in the container's seccomp profile.");
			break;
		case ENOMEM:
			ssdpar_probe_detail(error, "The ring does not fit into the limit "
								"for locked memory, or memory is exhausted.");
			ssdpar_probe_hint(error, "Raise the limit for locked memory "
							  "(ulimit -l, LimitMEMLOCK in a systemd unit) to "
							  "at least 1 MB.");
			break;
		case EMFILE:
		case ENFILE:
			ssdpar_probe_detail(error, "No more files can be opened.");
			ssdpar_probe_hint(error, "Raise the limit for open files "
							  "(ulimit -n, LimitNOFILE in a systemd unit).");
			break;
		default:
			ssdpar_probe_detail(error, "Without io_uring queue depth cannot "
								"be measured.");
			ssdpar_probe_hint(error, "Look into the kernel's log for the "
							  "cause.");
	}
}

/*
 * IORING_OP_READ and _WRITE came with Linux 5.6, after io_uring itself.  The
 * kernel is asked instead of checking its version, because distributions
 * backport features.
 */
static bool
check_operations(ProbeRing *ring, ProbeError *error)
{
	struct io_uring_probe *probe = io_uring_get_probe_ring(&ring->ring);
	bool		good = probe != NULL &&
		io_uring_opcode_supported(probe, IORING_OP_READ) &&
		io_uring_opcode_supported(probe, IORING_OP_WRITE);

	if (probe != NULL)
		io_uring_free_probe(probe);
	if (!good)
	{
		ssdpar_probe_error(error, PROBE_NOT_SUPPORTED,
						   "this kernel's io_uring has no plain read and "
						   "write requests");
		ssdpar_probe_detail(error, "They came with Linux 5.6.");
		ssdpar_probe_hint(error, "Use a newer kernel.");
	}
	return good;
}

/*
 * Populated now; otherwise the first requests would measure page faults.  mmap
 * aligns to pages, as O_DIRECT requires.
 */
static bool
map_buffers(ProbeRing *ring, ProbeError *error)
{
	size_t		bytes = (size_t) ring->slots * ring->slot_bytes;
	void	   *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
							  MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
							  -1, 0);

	if (memory == MAP_FAILED)
	{
		ssdpar_probe_error(error, PROBE_NO_MEMORY,
						   "could not get %zu MB of memory for requests: %s",
						   bytes >> 20, strerror(errno));
		ssdpar_probe_detail(error, "Every outstanding request needs a buffer "
							"of its size.");
		ssdpar_probe_hint(error, "Free memory, or measure smaller sizes or "
						  "depths.");
		return false;
	}
	ring->buffers = memory;
	return true;
}

/*
 * A ring used by only one thread needs no interrupt of that thread for
 * completions (Linux 6.1; a weaker form since 5.19); fio does the same.  Older
 * kernels refuse unknown flags.
 */
static int
set_up(struct io_uring *ring, unsigned entries)
{
	static const unsigned flags[] = {
		IORING_SETUP_SINGLE_ISSUER | IORING_SETUP_DEFER_TASKRUN,
		IORING_SETUP_COOP_TASKRUN,
		0,
	};
	int			result = -EINVAL;

	for (size_t i = 0; i < sizeof(flags) / sizeof(flags[0]); i++)
	{
		result = io_uring_queue_init(entries, ring, flags[i]);
		if (result != -EINVAL)
			break;
	}
	return result;
}

/* Checks the invariant in ring.h, as far as it can be counted. */
static void
check_ring(const ProbeRing *ring)
{
	assert(ring->busy >= 0 && ring->busy <= ring->slots);
	assert(ring->busy == 0 || ring->buffers != NULL);
}

bool
ssdpar_probe_ring_open(ProbeRing *ring, int slots, uint32_t slot_bytes,
					   ProbeError *error)
{
	int			result;

	memset(ring, 0, sizeof(*ring));
	ring->fd = -1;
	ring->slots = slots;
	ring->slot_bytes = slot_bytes;
	ring->tick.tv_nsec = 50000000;

	/* one more entry, for the tick */
	result = set_up(&ring->ring, (unsigned) slots + 1);
	if (result < 0)
	{
		explain_setup_errno(-result, error);
		return false;
	}
	/* from here on, close undoes whatever has been done */
	ring->open = true;
	if (check_operations(ring, error) && map_buffers(ring, error))
		return true;
	ssdpar_probe_ring_close(ring);
	return false;
}

void
ssdpar_probe_ring_close(ProbeRing *ring)
{
	size_t		bytes = (size_t) ring->slots * ring->slot_bytes;
	bool		drained;

	if (!ring->open)
		return;

	/*
	 * In this order: until its completion was taken, a request may still
	 * transfer data to or from its buffer.  If one never completes, the
	 * memory is released but not its addresses, because the kernel may still
	 * write there, so nothing else must be mapped at them.
	 */
	drained = ssdpar_probe_ring_drain(ring);
	io_uring_queue_exit(&ring->ring);
	if (ring->buffers != NULL && drained)
		munmap(ring->buffers, bytes);
	else if (ring->buffers != NULL)
		madvise(ring->buffers, bytes, MADV_DONTNEED);
	ring->buffers = NULL;
	ring->open = false;
}

void
ssdpar_probe_ring_queue(ProbeRing *ring, ProbeOperation operation, int slot,
						uint32_t size, uint64_t offset)
{
	struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->ring);
	char	   *buffer = ssdpar_probe_ring_buffer(ring, slot);

	/* there are more entries than slots, and a slot is queued only once */
	if (operation == PROBE_READ)
		io_uring_prep_read(sqe, ring->fd, buffer, size, offset);
	else
		io_uring_prep_write(sqe, ring->fd, buffer, size, offset);
	io_uring_sqe_set_data64(sqe, (uint64_t) slot);
	ring->busy++;
	check_ring(ring);
}

/*
 * A wait that ends like this is not an error; the caller checks again.  EINTR
 * is a signal, which keep_going() handles.  After EAGAIN and EBUSY completions
 * must be taken before more is submitted (io_uring_enter(2)).
 */
static bool
is_transient(int result)
{
	return result >= 0 || result == -ETIME || result == -EINTR ||
		result == -EAGAIN || result == -EBUSY;
}

/*
 * A wait with a time limit would set and cancel a kernel timer for every
 * request, which would affect the measurement at depth 1.  Instead one timeout
 * request ticks in the ring, and every wait is without a limit.
 */
static int
submit_and_wait(ProbeRing *ring)
{
	if (!ring->ticking)
	{
		struct io_uring_sqe *sqe = io_uring_get_sqe(&ring->ring);

		/*
		 * Count 0: it ends by time only, not by completions.  The kernel
		 * reads the time when the request is submitted, not here, so it is
		 * stored in the ring.
		 */
		io_uring_prep_timeout(sqe, &ring->tick, 0, 0);
		io_uring_sqe_set_data64(sqe, TICK);
		ring->ticking = true;
	}
	return io_uring_submit_and_wait(&ring->ring, 1);
}

bool
ssdpar_probe_ring_wait(ProbeRing *ring, ProbeError *error)
{
	int			result = submit_and_wait(ring);

	if (is_transient(result))
		return true;
	ssdpar_probe_error(error, PROBE_IO_FAILED,
					   "could not submit requests to io_uring: %s",
					   strerror(-result));
	ssdpar_probe_detail(error, "The kernel refused requests on a ring that it "
						"had set up.");
	ssdpar_probe_hint(error, "Look into the kernel's log and, in a container, "
					  "into its seccomp profile (io_uring_enter).");
	return false;
}

bool
ssdpar_probe_ring_take(ProbeRing *ring, ProbeCompletion *completion)
{
	struct io_uring_cqe *cqe;

	while (io_uring_peek_cqe(&ring->ring, &cqe) == 0)
	{
		uint64_t	data = io_uring_cqe_get_data64(cqe);

		/* copy first: once seen, the kernel may reuse the entry */
		completion->slot = (int) data;
		completion->result = cqe->res;
		io_uring_cqe_seen(&ring->ring, cqe);
		if (data != TICK)
		{
			ring->busy--;
			check_ring(ring);
			return true;
		}
		ring->ticking = false;	/* the next wait starts another */
	}
	return false;
}

bool
ssdpar_probe_ring_drain(ProbeRing *ring)
{
	ProbeCompletion ignored;
	int			idle = 0;		/* ticks since the last completion */

	while (ring->busy > 0 && !ring->stuck)
	{
		int			result = submit_and_wait(ring);
		bool		any = false;

		while (ssdpar_probe_ring_take(ring, &ignored))
			any = true;
		if (any)
			idle = 0;
		else if (!ring->ticking)
			idle++;

		/* a broken ring does not return anything either */
		ring->stuck = !is_transient(result) || idle == PATIENCE;
	}
	return !ring->stuck;
}
