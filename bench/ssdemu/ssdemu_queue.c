/*
 * ssdemu_queue.c
 *		A thread that answers requests at their times.
 *
 * A thread per request that sleeps until its completion would also work, but
 * then the number of threads limits the depth, and a busy machine wakes up
 * each of them in turn.  Here one wakeup answers everything that is due.
 */
#include "ssdemu_queue.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>

typedef struct Entry
{
	int64_t		time;
	uint64_t	order;			/* first come, first served at the same time */
	SsdemuAction action;
	void	   *argument;
} Entry;

struct SsdemuQueue
{
	pthread_mutex_t lock;
	pthread_cond_t sooner;		/* the first entry changed, or stopping */
	pthread_t	thread;
	bool		stopping;
	uint64_t	added;
	size_t		count;
	size_t		room;
	Entry	   *heap;			/* soonest first */
};

int64_t
ssdemu_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

void
ssdemu_be_prompt(void)
{
	struct sched_param least = {.sched_priority = 1};

	prctl(PR_SET_TIMERSLACK, 1UL);
	if (pthread_setschedparam(pthread_self(), SCHED_RR, &least) != 0)
		setpriority(PRIO_PROCESS, 0, -20);	/* of this thread */
}

static bool
before(const Entry *a, const Entry *b)
{
	return a->time != b->time ? a->time < b->time : a->order < b->order;
}

static bool
grow(SsdemuQueue *queue)
{
	size_t		room = queue->room == 0 ? 256 : queue->room * 2;
	Entry	   *heap;

	if (queue->count < queue->room)
		return true;
	heap = reallocarray(queue->heap, room, sizeof(Entry));
	if (heap == NULL)
		return false;
	queue->heap = heap;
	queue->room = room;
	return true;
}

static void
push(SsdemuQueue *queue, Entry entry)
{
	size_t		at = queue->count++;

	for (; at > 0 && before(&entry, &queue->heap[(at - 1) / 2]);
		 at = (at - 1) / 2)
		queue->heap[at] = queue->heap[(at - 1) / 2];
	queue->heap[at] = entry;
}

static Entry
pop(SsdemuQueue *queue)
{
	Entry		first = queue->heap[0];
	Entry		last = queue->heap[--queue->count];
	size_t		at = 0;
	size_t		child;

	while ((child = 2 * at + 1) < queue->count)
	{
		if (child + 1 < queue->count &&
			before(&queue->heap[child + 1], &queue->heap[child]))
			child++;
		if (before(&last, &queue->heap[child]))
			break;
		queue->heap[at] = queue->heap[child];
		at = child;
	}
	if (queue->count > 0)
		queue->heap[at] = last;
	return first;
}

/* Waits until the first entry is due or an earlier one arrives. */
static void
wait_for_first(SsdemuQueue *queue)
{
	struct timespec until;

	if (queue->count == 0)
	{
		pthread_cond_wait(&queue->sooner, &queue->lock);
		return;
	}
	until.tv_sec = queue->heap[0].time / INT64_C(1000000000);
	until.tv_nsec = queue->heap[0].time % INT64_C(1000000000);
	pthread_cond_timedwait(&queue->sooner, &queue->lock, &until);
}

static void *
run(void *argument)
{
	SsdemuQueue *queue = argument;

	ssdemu_be_prompt();
	pthread_mutex_lock(&queue->lock);
	while (queue->count > 0 || !queue->stopping)
	{
		Entry		entry;

		if (queue->count == 0 ||
			(queue->heap[0].time > ssdemu_now() && !queue->stopping))
		{
			wait_for_first(queue);
			continue;
		}
		entry = pop(queue);
		pthread_mutex_unlock(&queue->lock);
		entry.action(entry.argument);
		pthread_mutex_lock(&queue->lock);
	}
	pthread_mutex_unlock(&queue->lock);
	return NULL;
}

/* Signals are for the main thread. */
static int
start_thread(SsdemuQueue *queue)
{
	sigset_t	all;
	sigset_t	before_it;
	int			errnum;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before_it);
	errnum = pthread_create(&queue->thread, NULL, run, queue);
	pthread_sigmask(SIG_SETMASK, &before_it, NULL);
	return errnum;
}

SsdemuQueue *
ssdemu_queue_start(SsdsimError *error)
{
	SsdemuQueue *queue = calloc(1, sizeof(*queue));
	pthread_condattr_t monotonic;
	int			errnum = ENOMEM;

	if (queue != NULL)
	{
		pthread_condattr_init(&monotonic);
		pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
		pthread_mutex_init(&queue->lock, NULL);
		pthread_cond_init(&queue->sooner, &monotonic);
		pthread_condattr_destroy(&monotonic);
		errnum = start_thread(queue);
	}
	if (errnum == 0)
		return queue;
	free(queue);
	ssdsim_fail(error, "could not start the thread that answers requests: "
				"%s. Nothing is mounted. Free memory or raise the limit of "
				"processes (ulimit -u), then run again.", strerror(errnum));
	return NULL;
}

void
ssdemu_queue_add(SsdemuQueue *queue, int64_t time, SsdemuAction action,
				 void *argument)
{
	bool		added;

	pthread_mutex_lock(&queue->lock);
	added = grow(queue);
	if (added)
	{
		uint64_t	order = queue->added++;

		push(queue, (Entry) {time, order, action, argument});
		if (queue->heap[0].order == order)
			pthread_cond_signal(&queue->sooner);
	}
	pthread_mutex_unlock(&queue->lock);
	if (!added)
		action(argument);
}

void
ssdemu_queue_stop(SsdemuQueue *queue)
{
	pthread_mutex_lock(&queue->lock);
	queue->stopping = true;
	pthread_cond_signal(&queue->sooner);
	pthread_mutex_unlock(&queue->lock);
	pthread_join(queue->thread, NULL);
	pthread_cond_destroy(&queue->sooner);
	pthread_mutex_destroy(&queue->lock);
	free(queue->heap);
	free(queue);
}
