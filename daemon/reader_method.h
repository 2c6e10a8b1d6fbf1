/*
 * reader_method.h
 *		What a way of reading files into the page cache has to offer.
 *
 * There are two, ring.c and thread_pool.c; reader.c chooses.  Many reads are
 * outstanding at a time.  What is read is thrown away: the point is that the
 * kernel keeps it.
 *
 * Knows slots and descriptors, nothing of sessions and ranges.
 */
#ifndef SSDPARD_READER_METHOD_H
#define SSDPARD_READER_METHOD_H

#include <stdbool.h>
#include <stdint.h>

/* Reads outstanding at most; slots are 0 to SSDPARD_SLOTS - 1. */
#define SSDPARD_SLOTS 1024

/*
 * Bytes up to which copying a read costs no more than first looking whether
 * it is cached.
 */
#define SSDPARD_SMALL (32 * 1024)

typedef struct SsdpardReader SsdpardReader;

typedef struct SsdpardReaderMethod
{
	const char *name;

	/*
	 * Queues one read.  The slot has no other read, and the descriptor stays
	 * open until the completion was taken.  There is room for SSDPARD_SLOTS.
	 */
	void		(*queue) (SsdpardReader *reader, int slot, int fd,
						  uint64_t offset, uint32_t length);

	/*
	 * Starts what is queued; false if some of it has to be tried again, or
	 * never can be: then broken is set, here or by gather.
	 */
	bool		(*submit) (SsdpardReader *reader);

	/*
	 * Makes completions that the kernel has deferred ready for take, some of
	 * them at least.
	 */
	void		(*gather) (SsdpardReader *reader);

	/*
	 * Takes one completion: bytes read or a negative errno.  False if there
	 * is none.  If tells_cached, what it takes after submit and before gather
	 * came from the page cache.
	 */
	bool		(*take) (SsdpardReader *reader, int *slot, int *result);

	/* Nothing may be outstanding. */
	void		(*close) (SsdpardReader *reader);
} SsdpardReaderMethod;

/* Each method's own struct begins with this. */
struct SsdpardReader
{
	const SsdpardReaderMethod *method;
	int			fd;				/* readable while there may be completions */
	bool		tells_cached;
	int			broken;			/* errno: it will never read again; 0: it
								 * reads */
};

#endif							/* SSDPARD_READER_METHOD_H */
