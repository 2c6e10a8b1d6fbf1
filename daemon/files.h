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
 * Invariants
 *	- references = one for the handle that names the file, and one for each
 *	  range that waits for it or is being read;
 *	- the descriptor is open while in_flight > 0, so its number cannot come to
 *	  mean another file under a read.
 */
typedef struct SsdpardFile
{
	TAILQ_ENTRY(SsdpardFile) link;
	int fd;						/* -1: closed */
	int device;					/* the scheduler's number for it */
	bool stale;					/* not to be read any more */
	uint32_t references;
	uint32_t in_flight;			/* reads */
	uint64_t used;				/* us, last asked for or read; the time of
								 * that turn, so not later than a sweep's */
	uint64_t size;				/* when checked last */
	uint64_t checked;			/* in which turn of the server's loop */
} SsdpardFile;

typedef struct SsdpardFiles
{
	TAILQ_HEAD(SsdpardFileList, SsdpardFile) list;
	int open;					/* descriptors */
	int most;
} SsdpardFiles;

extern void ssdpard_files_init(SsdpardFiles *files);

/*
 * Can FD be read ahead for somebody: a regular file, opened for reading only,
 * through the page cache?  If so DEVICE is the number of its device.
 */
extern bool ssdpard_file_is_good(int fd, uint64_t *device);

/* Takes FD over, with one reference; NULL (FD stays) if there is no room. */
extern SsdpardFile *ssdpard_file_add(SsdpardFiles *files, int fd, int device,
									 uint64_t now);

/* It is not to be read any more; closes it when no read is in flight. */
extern void ssdpard_file_close(SsdpardFiles *files, SsdpardFile *file);

/* Gives one reference back. */
extern void ssdpard_file_release(SsdpardFiles *files, SsdpardFile *file);

/*
 * Is there something to read in it?  Looks at most once in a TURN.  A deleted
 * file is closed.
 */
extern bool ssdpard_file_check(SsdpardFiles *files, SsdpardFile *file,
							   uint64_t turn);

/* Around a read of the file. */
extern void ssdpard_file_reading(SsdpardFile *file);
extern void ssdpard_file_was_read(SsdpardFiles *files, SsdpardFile *file,
								  uint64_t now);

/* Closes what is deleted, or idle since IDLE us. */
extern void ssdpard_files_sweep(SsdpardFiles *files, uint64_t now,
								uint64_t idle, uint64_t turn);

/* Are all pages of this part of the file in the page cache? */
extern bool ssdpard_is_cached(int fd, uint64_t offset, uint32_t length);

/*
 * Has the kernel read this part of the file into the page cache, without
 * waiting for it.
 */
extern void ssdpard_ask_ahead(int fd, uint64_t offset, uint32_t length);

#endif							/* SSDPARD_FILES_H */
