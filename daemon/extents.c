/*
 * extents.c
 *		Where on its device a file lies: FIEMAP.
 *
 * A file system that does not say it (FUSE, NFS, tmpfs) gets addresses made of
 * the file's own offsets: what lies together in the file does so on a device
 * as a rule, and how far files are from each other nobody knows.
 *
 * No more than SSDPARD_MOST_EXTENTS are kept: what lies behind them in a file
 * in more pieces is nowhere.  Neither has an address what is not written yet,
 * or lies in the inode, in a tail, or compressed.
 */
#include "extents.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include <linux/fiemap.h>
#include <linux/fs.h>

#include "zones.h"

/* Extents that the kernel is asked for at a time; they stand on the stack. */
#define AT_ONCE 32

/* Addresses that a file may have to itself where they are made. */
#define OWN_BYTES (UINT64_C(1) << 40)

/* Not at a place of its own on the device. */
#define NO_PLACE (FIEMAP_EXTENT_UNKNOWN | FIEMAP_EXTENT_DELALLOC | \
				  FIEMAP_EXTENT_ENCODED | FIEMAP_EXTENT_NOT_ALIGNED | \
				  FIEMAP_EXTENT_UNWRITTEN)

typedef struct Answer
{
	struct fiemap map;
	struct fiemap_extent extents[AT_ONCE];
} Answer;

static void
add(SsdpardExtents *extents, const struct fiemap_extent *extent)
{
	SsdpardExtent *before = extents->count == 0 ? NULL :
		&extents->extents[extents->count - 1];

	if (before != NULL &&
		before->offset + before->length == extent->fe_logical &&
		before->address + before->length == extent->fe_physical)
		before->length += extent->fe_length;
	else if (extents->count < SSDPARD_MOST_EXTENTS)
		extents->extents[extents->count++] = (SsdpardExtent)
	{
		.offset = extent->fe_logical, .address = extent->fe_physical,
			.length = extent->fe_length
	};
}

/* From START on; false if the file system does not say it. */
static bool
ask(SsdpardExtents *extents, int fd, uint64_t start, uint64_t *next)
{
	Answer		answer;

	memset(&answer, 0, sizeof(answer));
	answer.map.fm_start = start;
	answer.map.fm_length = FIEMAP_MAX_OFFSET - start;
	answer.map.fm_extent_count = AT_ONCE;
	if (ioctl(fd, FS_IOC_FIEMAP, &answer.map) != 0)
		return false;
	*next = UINT64_MAX;
	for (uint32_t i = 0; i < answer.map.fm_mapped_extents; i++)
	{
		const struct fiemap_extent *extent = &answer.extents[i];

		if ((extent->fe_flags & NO_PLACE) == 0)
			add(extents, extent);
		*next = extent->fe_flags & FIEMAP_EXTENT_LAST ? UINT64_MAX :
			extent->fe_logical + extent->fe_length;
	}
	return true;
}

/* By the inode, so that files do not all begin in one zone. */
static uint64_t
make_place(int fd)
{
	struct stat status;

	if (fstat(fd, &status) != 0)
		return OWN_BYTES;
	return (1 + (uint64_t) status.st_ino * UINT64_C(0x9e3779b97f4a7c15) %
			(UINT64_C(1) << 20)) * OWN_BYTES;
}

SsdpardExtents *
ssdpard_extents_look(SsdpardExtents *former, int fd, uint64_t size,
					 uint64_t now)
{
	SsdpardExtents *extents = former != NULL ? former :
		malloc(sizeof(*extents));
	uint64_t	next = 0;

	if (extents == NULL)
		return NULL;
	extents->size = size;
	extents->looked = now;
	extents->own = 0;
	extents->count = 0;
	while (next != UINT64_MAX && extents->count < SSDPARD_MOST_EXTENTS)
		if (!ask(extents, fd, next, &next))
		{
			extents->count = 0;
			extents->own = make_place(fd);
			break;
		}
	return extents;
}

uint64_t
ssdpard_extents_address(const SsdpardExtents *extents, uint64_t offset)
{
	int			low = 0;
	int			high = extents->count;

	if (extents->own != 0)
		return extents->own + offset % OWN_BYTES;
	while (low < high)
	{
		int			middle = low + (high - low) / 2;
		const SsdpardExtent *extent = &extents->extents[middle];

		if (offset < extent->offset)
			high = middle;
		else if (offset - extent->offset >= extent->length)
			low = middle + 1;
		else
			return extent->address + (offset - extent->offset);
	}
	return SSDPARD_NOWHERE;
}
