/*
 * thread_pool.c
 *		Reads with a pool of threads, for systems without io_uring.
 *
 * Each thread has a separate buffer, because pread into a shared one would be
 * a data race in C, even though the contents are not used.
 */
#include "thread_pool.h"

#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct Job
{
	int			slot;
	int			fd;
	uint64_t	offset;
	uint32_t	length;
	int			result;
} Job;

/*
 * A ring buffer of jobs.
 *
 * Invariant: head - tail is the number of jobs in it, at most SSDPARD_SLOTS.
 * A slot has one read at a time, so neither ring can overflow.  head and tail
 * may wrap around, since their difference stays correct.
 */
typedef struct JobRing
{
	Job			jobs[SSDPARD_SLOTS];
	unsigned	head;
	unsigned	tail;
} JobRing;

typedef struct Pool
{
	SsdpardReader base;
	pthread_mutex_t mutex;		/* protects the following fields */
	pthread_cond_t job_queued;
	JobRing		queue;
	JobRing		completions;
	bool		stopping;
	uint32_t	max_bytes;
	int			nthreads;
	pthread_t	threads[];
} Pool;

static void
push(JobRing *ring, const Job *job)
{
	assert(ring->head - ring->tail < SSDPARD_SLOTS);
	ring->jobs[ring->head++ % SSDPARD_SLOTS] = *job;
}

static bool
pop(JobRing *ring, Job *job)
{
	assert(ring->head - ring->tail <= SSDPARD_SLOTS);
	if (ring->head == ring->tail)
		return false;
	*job = ring->jobs[ring->tail++ % SSDPARD_SLOTS];
	return true;
}

static void *
work(void *argument)
{
	Pool	   *pool = argument;
	char	   *discard = malloc(pool->max_bytes);
	const uint64_t one = 1;
	Job			job;

	pthread_mutex_lock(&pool->mutex);
	for (;;)
	{
		while (!pool->stopping && pool->queue.head == pool->queue.tail)
			pthread_cond_wait(&pool->job_queued, &pool->mutex);
		if (!pop(&pool->queue, &job))
			break;				/* stopping */
		pthread_mutex_unlock(&pool->mutex);

		/* without a buffer, complete anyway, or the slot would be lost */
		if (discard == NULL)
			job.result = -ENOMEM;
		else
		{
			ssize_t		result = pread(job.fd, discard, job.length,
									   (off_t) job.offset);

			job.result = result < 0 ? -errno : (int) result;
		}

		pthread_mutex_lock(&pool->mutex);
		push(&pool->completions, &job);

		/* wakes the loop; fails only when 2^64 - 1 completions wait */
		if (write(pool->base.fd, &one, sizeof(one)) < 0)
			continue;
	}
	pthread_mutex_unlock(&pool->mutex);
	free(discard);
	return NULL;
}

static void
threads_queue(SsdpardReader *reader, int slot, int fd, uint64_t offset,
			  uint32_t length)
{
	Pool	   *pool = (Pool *) reader;
	Job			job = {slot, fd, offset, length, 0};

	pthread_mutex_lock(&pool->mutex);
	push(&pool->queue, &job);
	pthread_cond_signal(&pool->job_queued);
	pthread_mutex_unlock(&pool->mutex);
}

static bool
threads_submit(SsdpardReader *reader)
{
	(void) reader;				/* they have already started */
	return true;
}

static void
threads_gather(SsdpardReader *reader)
{
	(void) reader;				/* the threads deliver their completions */
}

static bool
threads_take(SsdpardReader *reader, int *slot, int *result)
{
	Pool	   *pool = (Pool *) reader;
	uint64_t	count;
	Job			job;
	bool		found;

	pthread_mutex_lock(&pool->mutex);
	found = pop(&pool->completions, &job);

	/*
	 * If empty, reset the eventfd while still holding the mutex, so that the
	 * next completion signals it again.  EAGAIN means that it is already
	 * zero.
	 */
	if (!found && read(pool->base.fd, &count, sizeof(count)) < 0)
		count = 0;
	pthread_mutex_unlock(&pool->mutex);
	if (found)
	{
		*slot = job.slot;
		*result = job.result;
	}
	return found;
}

static void
threads_close(SsdpardReader *reader)
{
	Pool	   *pool = (Pool *) reader;

	pthread_mutex_lock(&pool->mutex);
	pool->stopping = true;
	pthread_cond_broadcast(&pool->job_queued);
	pthread_mutex_unlock(&pool->mutex);
	for (int i = 0; i < pool->nthreads; i++)
		pthread_join(pool->threads[i], NULL);
	close(pool->base.fd);
	free(pool);
}

static const SsdpardReaderMethod threads_method = {
	"threads", threads_queue, threads_submit, threads_gather, threads_take,
	threads_close,
};

/*
 * Starts as many threads as the system allows.  They inherit a full signal
 * mask, because the main thread reads signals from a signalfd.
 */
static int
start_threads(Pool *pool, int wanted)
{
	sigset_t	all;
	sigset_t	before;
	int			result = 0;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	while (result == 0 && pool->nthreads < wanted)
	{
		result = pthread_create(&pool->threads[pool->nthreads], NULL, work,
								pool);
		if (result == 0)
			pool->nthreads++;
	}
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	return result;
}

SsdpardReader *
ssdpard_threads_open(uint32_t max_bytes, int threads,
					 char problem[SSDPARD_PROBLEM])
{
	Pool	   *pool = calloc(1, sizeof(*pool) +
							  (size_t) threads * sizeof(pthread_t));
	int			result = ENOMEM;

	if (pool != NULL)
	{
		pool->base.method = &threads_method;
		pool->base.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		pool->max_bytes = max_bytes;
		pthread_mutex_init(&pool->mutex, NULL);
		pthread_cond_init(&pool->job_queued, NULL);
		result = pool->base.fd < 0 ? errno : start_threads(pool, threads);
		if (pool->nthreads > 0)
			return &pool->base;
		if (pool->base.fd >= 0)
			close(pool->base.fd);
		free(pool);
	}
	ssdpard_fail(problem, "could not start a thread to read with: %s; raise "
				 "the limits for processes and memory", strerror(result));
	return NULL;
}
