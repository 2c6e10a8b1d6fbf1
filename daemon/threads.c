/*
 * threads.c
 *		Reads by a pool of threads, where io_uring cannot be had.
 *
 * Queue and completions are rings of as many entries as there are slots, so
 * neither can be full.  Each thread has a sink of its own: pread into a
 * shared one would be a data race in the eyes of C.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "reader.h"

typedef struct Job
{
	int slot;
	int fd;
	uint64_t offset;
	uint32_t length;
	int result;
} Job;

/* Invariant: head - tail is the number of jobs, at most SSDPARD_SLOTS. */
typedef struct Jobs
{
	Job jobs[SSDPARD_SLOTS];
	unsigned head;
	unsigned tail;
} Jobs;

typedef struct Pool
{
	SsdpardReader base;
	pthread_mutex_t mutex;		/* of all that follows */
	pthread_cond_t waiting_jobs;
	Jobs queue;
	Jobs completions;
	bool ending;
	uint32_t sink_bytes;
	int nthreads;
	pthread_t threads[];
} Pool;

static void
push(Jobs *jobs, const Job *job)
{
	jobs->jobs[jobs->head++ % SSDPARD_SLOTS] = *job;
}

static bool
pop(Jobs *jobs, Job *job)
{
	if (jobs->head == jobs->tail)
		return false;
	*job = jobs->jobs[jobs->tail++ % SSDPARD_SLOTS];
	return true;
}

static int
read_once(const Job *job, char *sink)
{
	ssize_t result = pread(job->fd, sink, job->length, (off_t) job->offset);

	return result < 0 ? -errno : (int) result;
}

static void
tell_completion(Pool *pool)
{
	uint64_t one = 1;

	/* it cannot fail before 2^64 - 1 completions wait */
	if (write(pool->base.fd, &one, sizeof(one)) < 0)
		return;
}

static void *
work(void *argument)
{
	Pool *pool = argument;
	char *sink = malloc(pool->sink_bytes);
	Job job;

	pthread_mutex_lock(&pool->mutex);
	for (;;)
	{
		while (!pool->ending && pool->queue.head == pool->queue.tail)
			pthread_cond_wait(&pool->waiting_jobs, &pool->mutex);
		if (!pop(&pool->queue, &job))
			break;				/* ending */
		pthread_mutex_unlock(&pool->mutex);
		job.result = sink == NULL ? -ENOMEM : read_once(&job, sink);
		pthread_mutex_lock(&pool->mutex);
		push(&pool->completions, &job);
		tell_completion(pool);
	}
	pthread_mutex_unlock(&pool->mutex);
	free(sink);
	return NULL;
}

static void
threads_queue(SsdpardReader *reader, int slot, int fd, uint64_t offset,
			  uint32_t length)
{
	Pool *pool = (Pool *) reader;
	Job job = {slot, fd, offset, length, 0};

	pthread_mutex_lock(&pool->mutex);
	push(&pool->queue, &job);
	pthread_cond_signal(&pool->waiting_jobs);
	pthread_mutex_unlock(&pool->mutex);
}

static bool
threads_submit(SsdpardReader *reader)
{
	(void) reader;				/* they have started already */
	return true;
}

static void
threads_gather(SsdpardReader *reader)
{
	(void) reader;				/* completions come by themselves */
}

static bool
threads_take(SsdpardReader *reader, int *slot, int *result)
{
	Pool *pool = (Pool *) reader;
	uint64_t count;
	Job job;
	bool found;

	pthread_mutex_lock(&pool->mutex);
	found = pop(&pool->completions, &job);
	if (!found && read(pool->base.fd, &count, sizeof(count)) < 0)
		count = 0;				/* it was at zero */
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
	Pool *pool = (Pool *) reader;

	pthread_mutex_lock(&pool->mutex);
	pool->ending = true;
	pthread_cond_broadcast(&pool->waiting_jobs);
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

/* As many as can be had; signals are the main thread's. */
static int
start_threads(Pool *pool, int wanted)
{
	sigset_t all;
	sigset_t before;
	int result = 0;

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
ssdpard_threads_open(uint32_t sink_bytes, int threads,
					 char problem[SSDPARD_PROBLEM])
{
	Pool *pool = calloc(1, sizeof(*pool) +
						(size_t) threads * sizeof(pthread_t));
	int result = ENOMEM;

	if (pool != NULL)
	{
		pool->base.method = &threads_method;
		pool->base.fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
		pool->sink_bytes = sink_bytes;
		pthread_mutex_init(&pool->mutex, NULL);
		pthread_cond_init(&pool->waiting_jobs, NULL);
		result = pool->base.fd < 0 ? errno : start_threads(pool, threads);
		if (pool->nthreads > 0)
			return &pool->base;
		if (pool->base.fd >= 0)
			close(pool->base.fd);
		free(pool);
	}
	snprintf(problem, SSDPARD_PROBLEM, "could not start a thread to read "
			 "with: %s; raise the limits for processes and memory",
			 strerror(result));
	return NULL;
}
