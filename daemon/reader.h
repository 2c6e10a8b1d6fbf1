/*
 * reader.h
 *		Reads files into the page cache, many reads at a time, by io_uring or
 *		by threads.  What is read goes into one sink buffer and is forgotten.
 *
 * Knows slots and descriptors, nothing of sessions and ranges.
 */
#ifndef SSDPARD_READER_H
#define SSDPARD_READER_H

#include <stdbool.h>
#include <stdint.h>

#include "options.h"

/* Reads in flight at most; slots are 0 to SSDPARD_SLOTS - 1. */
#define SSDPARD_SLOTS 1024

/*
 * Bytes up to which a read costs no more than looking whether it is needed,
 * or than copying what nobody wants.
 */
#define SSDPARD_SMALL (32 * 1024)

typedef struct SsdpardReader SsdpardReader;

/* One way of reading. */
typedef struct SsdpardReaderMethod
{
	const char *name;

	/*
	 * Queues one read; the descriptor stays open until its completion was
	 * taken.  There is room for SSDPARD_SLOTS.
	 */
	void (*queue) (SsdpardReader *reader, int slot, int fd, uint64_t offset,
				   uint32_t length);

	/* Starts what is queued; false if some of it has to be tried again. */
	bool (*submit) (SsdpardReader *reader);

	/* Looks what the device has done since; take hands it out. */
	void (*gather) (SsdpardReader *reader);

	/*
	 * Takes one completion: bytes read or a negative errno.  If tells_cached,
	 * what it takes between submit and gather came from the page cache.
	 */
	bool (*take) (SsdpardReader *reader, int *slot, int *result);

	/* Nothing may be in flight. */
	void (*close) (SsdpardReader *reader);
} SsdpardReaderMethod;

/* Every kind of reader begins with this. */
struct SsdpardReader
{
	const SsdpardReaderMethod *method;
	int fd;						/* readable while there may be completions */
	bool tells_cached;
};

/*
 * By options->method.  With "auto", threads after one warning if the kernel
 * refuses the ring.  NULL with one message in PROBLEM.
 */
extern SsdpardReader *ssdpard_reader_open(const SsdpardOptions *options,
										  char problem[SSDPARD_PROBLEM]);

extern SsdpardReader *ssdpard_ring_open(uint32_t sink_bytes,
										char problem[SSDPARD_PROBLEM]);
extern SsdpardReader *ssdpard_threads_open(uint32_t sink_bytes, int threads,
										   char problem[SSDPARD_PROBLEM]);

/*
 * Lets the ring, which was made disabled, do nothing but READ from now on,
 * and enables it.  0, or a negative errno.
 */
extern int ssdpard_ring_restrict(int ring_fd);

#endif							/* SSDPARD_READER_H */
