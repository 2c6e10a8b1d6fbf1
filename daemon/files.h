/*
 * files.h
 *		The files whose descriptors sessions handed over.
 */
#ifndef SSDPARD_FILES_H
#define SSDPARD_FILES_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/queue.h>

/*
 * Invariant
 *	- references = one for the handle that names the file, and one for each
 *	  range that is queued or outstanding for it;
 *	- the descriptor is open while outstanding > 0, so that its number cannot
 *	  be reused for another file during a read;
 *	- a file whose descriptor is closed is stale.
 */
typedef struct SsdpardFile
{
	TAILQ_ENTRY(SsdpardFile) link;
	int			fd;				/* -1: closed */
	int			device;			/* the scheduler's number for it */
	bool		stale;			/* not to be read anymore */
	uint32_t	references;
	uint32_t	outstanding;	/* reads */
	uint64_t	used;			/* us, last requested or read; the time of
								 * that turn, so not later than a sweep's */
	uint64_t	size;			/* when last checked */
	uint64_t	checked;		/* turn of the server's loop */
} SsdpardFile;

typedef struct SsdpardFiles
{
	TAILQ_HEAD(SsdpardFileList, SsdpardFile) list;
	int			open;			/* descriptors */
	int			max_open;
} SsdpardFiles;

extern void ssdpard_files_init(SsdpardFiles *files);

/*
 * Can FD be prefetched, that is, is it a regular file opened read-only that
 * uses the page cache?  If so, sets DEVICE to the number of its device.
 */
extern bool ssdpard_file_is_good(int fd, uint64_t *device);

/*
 * Takes over FD and returns a file with one reference.  Returns NULL, and does
 * not take over FD, if there is no room.
 */
extern SsdpardFile *ssdpard_file_add(SsdpardFiles *files, int fd, int device,
									 uint64_t now);

/* Is FD the same file as this open one? */
extern bool ssdpard_file_is_same(const SsdpardFile *file, int fd);

/*
 * Makes the file stale, and closes it as soon as no read of it is outstanding.
 */
extern void ssdpard_file_close(SsdpardFiles *files, SsdpardFile *file);

/* Drops one reference; the last one frees the file. */
extern void ssdpard_file_release(SsdpardFiles *files, SsdpardFile *file);

/*
 * Does the file have anything to read?  Checks size and link count, at most
 * once per TURN, and closes a deleted file.
 */
extern bool ssdpard_file_check(SsdpardFiles *files, SsdpardFile *file,
							   uint64_t turn);

/* Called before and after each read of the file. */
extern void ssdpard_file_begin_read(SsdpardFile *file);
extern void ssdpard_file_end_read(SsdpardFiles *files, SsdpardFile *file,
								  uint64_t now);

/* Closes files that are deleted or have not been used for IDLE us. */
extern void ssdpard_files_sweep(SsdpardFiles *files, uint64_t now,
								uint64_t idle, uint64_t turn);

#endif							/* SSDPARD_FILES_H */
