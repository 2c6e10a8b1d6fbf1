/*
 * files.h
 *		The descriptors that sessions handed over.
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
 *	  come to mean another file under a read;
 *	- a closed descriptor means stale.
 */
typedef struct SsdpardFile
{
	TAILQ_ENTRY(SsdpardFile) link;
	int			fd;				/* -1: closed */
	int			device;			/* the scheduler's number for it */
	bool		stale;			/* not to be read any more */
	uint32_t	references;
	uint32_t	outstanding;	/* reads */
	uint64_t	used;			/* us, last asked for or read; the time of
								 * that turn, so not later than a sweep's */
	uint64_t	size;			/* when checked last */
	uint64_t	checked;		/* in which turn of the server's loop */
} SsdpardFile;

typedef struct SsdpardFiles
{
	TAILQ_HEAD(SsdpardFileList, SsdpardFile) list;
	int			open;			/* descriptors */
	int			max_open;
} SsdpardFiles;

extern void ssdpard_files_init(SsdpardFiles *files);

/*
 * Can FD be read ahead: a regular file, opened for reading only, through the
 * page cache?  If so DEVICE is the number of its device.
 */
extern bool ssdpard_file_is_good(int fd, uint64_t *device);

/* Takes FD over, with one reference; NULL (FD stays) if there is no room. */
extern SsdpardFile *ssdpard_file_add(SsdpardFiles *files, int fd, int device,
									 uint64_t now);

/* Is FD the same file as this open one? */
extern bool ssdpard_file_is_same(const SsdpardFile *file, int fd);

/* Makes it stale, and closes it as soon as no read of it is outstanding. */
extern void ssdpard_file_close(SsdpardFiles *files, SsdpardFile *file);

/* Gives one reference back; with the last one the file is gone. */
extern void ssdpard_file_release(SsdpardFiles *files, SsdpardFile *file);

/*
 * Is there something to read in it?  Looks at most once in a TURN, at size
 * and link count.  A deleted file is closed.
 */
extern bool ssdpard_file_check(SsdpardFiles *files, SsdpardFile *file,
							   uint64_t turn);

/* Around each read of the file. */
extern void ssdpard_file_begin_read(SsdpardFile *file);
extern void ssdpard_file_end_read(SsdpardFiles *files, SsdpardFile *file,
								  uint64_t now);

/* Closes what is deleted, or has not been used for IDLE us. */
extern void ssdpard_files_sweep(SsdpardFiles *files, uint64_t now,
								uint64_t idle, uint64_t turn);

#endif							/* SSDPARD_FILES_H */
