/*
 * reader_method.h
 *		Interface of the methods that read files into the page cache.
 *
 * There are two, ring.c and thread_pool.c; reader.c chooses.  Many reads are
 * outstanding at a time.  The data is discarded, because the purpose is that
 * the kernel caches it.
 *
 * A method knows slots and descriptors, but not sessions and ranges.
 */
#ifndef SSDPARD_READER_METHOD_H
#define SSDPARD_READER_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/* Maximum number of outstanding reads; slots are 0 to SSDPARD_SLOTS - 1. */
#define SSDPARD_SLOTS 1024

/*
 * Size up to which reading is not more expensive than first checking whether
 * the page cache has it.
 */
#define SSDPARD_SMALL (32 * 1024)

typedef struct SsdpardReader SsdpardReader;

typedef struct SsdpardReaderMethod
{
	const char *name;

	/*
	 * Queues one read.  The slot has no other read, and the descriptor stays
	 * open until the completion is taken.  There is room for SSDPARD_SLOTS.
	 */
	void		(*queue) (SsdpardReader *reader, int slot, int fd,
						  uint64_t offset, uint32_t length);

	/*
	 * Starts the queued reads.  Returns false if some of them must be
	 * retried, or can never be started; in the latter case submit or gather
	 * sets broken.
	 */
	bool		(*submit) (SsdpardReader *reader);

	/*
	 * Makes completions that the kernel has deferred available to take, at
	 * least some of them.
	 */
	void		(*gather) (SsdpardReader *reader);

	/*
	 * Takes one completion: bytes read or a negative errno.  Returns false if
	 * there is none.  If tells_cached, completions taken after submit and
	 * before gather were in the page cache.
	 */
	bool		(*take) (SsdpardReader *reader, int *slot, int *result);

	/* Requires that no read is outstanding. */
	void		(*close) (SsdpardReader *reader);
} SsdpardReaderMethod;

/* The struct of each method begins with this. */
struct SsdpardReader
{
	const SsdpardReaderMethod *method;
	int			fd;				/* readable while there may be completions */
	bool		tells_cached;
	int			broken;			/* errno: it can never read again; 0: works */
};

#endif							/* SSDPARD_READER_METHOD_H */
