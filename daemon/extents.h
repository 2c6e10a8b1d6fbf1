/*
 * extents.h
 *		Where on its device a file lies.
 */
#ifndef SSDPARD_EXTENTS_H
#define SSDPARD_EXTENTS_H

#include <stdint.h>

/* As of one file: 20 GB in the pieces of 128 MB that ext4 makes at best. */
#define SSDPARD_MOST_EXTENTS 160

typedef struct SsdpardExtent
{
	uint64_t	offset;			/* in the file */
	uint64_t	address;		/* on the device */
	uint64_t	length;
} SsdpardExtent;

/* Invariant: extents are in order of the file, and apart from each other. */
typedef struct SsdpardExtents
{
	uint64_t	size;			/* of the file when it was looked at */
	uint64_t	looked;			/* us, when that was */
	uint64_t	own;			/* where no extents are known: what the file's
								 * own offsets are counted from; else 0 */
	int			count;
	SsdpardExtent extents[SSDPARD_MOST_EXTENTS];
} SsdpardExtents;

/*
 * Of the file FD of SIZE bytes, at the time NOW; NULL if there is no memory.
 * Made anew, in place, by FORMER (may be NULL).  Give it to free().
 */
extern SsdpardExtents *ssdpard_extents_look(SsdpardExtents *former, int fd,
											uint64_t size, uint64_t now);

/* SSDPARD_NOWHERE where nothing is known, or not that it stays there. */
extern uint64_t ssdpard_extents_address(const SsdpardExtents *extents,
										uint64_t offset);

#endif							/* SSDPARD_EXTENTS_H */
