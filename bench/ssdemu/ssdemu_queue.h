/*
 * ssdemu_queue.h
 *		Actions at given times, executed by a separate thread.
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

/* Called once at its time, or immediately if out of memory. */
typedef void (*SsdemuAction) (void *argument);

extern int64_t ssdemu_now(void);

/*
 * The calling thread acts as hardware: it should wake up on time and before
 * programs, as far as this user may request that.
 */
extern void ssdemu_be_prompt(void);

/* NULL, with a message, if out of threads or memory. */
extern SsdemuQueue *ssdemu_queue_start(SsdsimError *error);
extern void ssdemu_queue_add(SsdemuQueue *queue, int64_t time,
							 SsdemuAction action, void *argument);

/* Executes waiting actions, ends the thread, frees the queue. */
extern void ssdemu_queue_stop(SsdemuQueue *queue);

#endif							/* SSDEMU_QUEUE_H */
