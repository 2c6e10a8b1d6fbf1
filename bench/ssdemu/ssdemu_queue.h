/*
 * ssdemu_queue.h
 *		Things to do at a given time, done by one thread of its own.
 *
 * The time is CLOCK_MONOTONIC's, in nanoseconds.  Any number can wait, so the
 * queue never limits the depth of the emulated device.
 */
#ifndef SSDEMU_QUEUE_H
#define SSDEMU_QUEUE_H

#include <stdbool.h>
#include <stdint.h>

#include "bench/ssdsim/ssdsim_error.h"

typedef struct SsdemuQueue SsdemuQueue;

/* Called once at its time, or at once if memory is out. */
typedef void (*SsdemuAction) (void *argument);

extern int64_t ssdemu_now(void);

/*
 * The calling thread stands for hardware: it wakes up on time and before
 * programs, as far as this user may ask for that.
 */
extern void ssdemu_be_prompt(void);

/* NULL, with a message, when threads or memory are out. */
extern SsdemuQueue *ssdemu_queue_start(SsdsimError *error);
extern void ssdemu_queue_add(SsdemuQueue *queue, int64_t time,
							 SsdemuAction action, void *argument);

/* Do at once what waits, end the thread, free the queue. */
extern void ssdemu_queue_stop(SsdemuQueue *queue);

#endif							/* SSDEMU_QUEUE_H */
