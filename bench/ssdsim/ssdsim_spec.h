/*
 * ssdsim_spec.h
 *		The components of a device and their times, read from a text file:
 *		lines of a name and a value, comments after #.
 *
 * docs/internals/benchmarks.md lists the names.  Times are in nanoseconds here,
 * sizes in bytes.  Every number is an int64_t, so that one table can describe
 * them.
 */
#ifndef SSDSIM_SPEC_H
#define SSDSIM_SPEC_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "ssdsim_error.h"

#define SSDSIM_PROGRAM_TIMES 8
#define SSDSIM_ABOUT_SIZE 128

/* Paper 000, section 5.4. */
typedef enum SsdsimMapping
{
	SSDSIM_MAP_STATIC,			/* chunk number modulo planes */
	SSDSIM_MAP_ORDER,			/* the planes in turn, in order of writes, one
								 * chunk each */
} SsdsimMapping;

typedef struct SsdsimSpec
{
	char		about[SSDSIM_ABOUT_SIZE];

	/* geometry */
	int64_t		channels;
	int64_t		packages;		/* per channel */
	int64_t		dies;			/* per package */
	int64_t		planes;			/* per die */
	int64_t		blocks;			/* per plane */
	int64_t		pages;			/* per block */
	int64_t		page_bytes;

	/* the flash translation layer */
	int64_t		over_provisioning;	/* hundredths of a percent of the host's
									 * capacity */
	int64_t		mapping;		/* SsdsimMapping */
	int64_t		chunk;			/* consecutive pages on a plane */
	int64_t		hot_cold;		/* collected pages in separate blocks */
	int64_t		copy_back;		/* collect without using the channel */
	int64_t		multi_plane;	/* use planes of a die together */
	int64_t		interleave;		/* dies of a package work concurrently */
	int64_t		gc_low;			/* free blocks of a plane at which collecting
								 * precedes everything else */
	int64_t		gc_high;		/* up to which an idle die collects */

	/* the host's view */
	int64_t		queue;			/* requests that the device accepts */
	int64_t		write_buffer;	/* pages; 0: complete when programmed */
	int64_t		readahead;		/* pages read ahead of a stream; 0: never */
	int64_t		readahead_streams;
	int64_t		deadline;		/* of PAQ: how long it passes over an
								 * operation; 0: forever */
	int64_t		devices;		/* of a RAID-0 */
	int64_t		stripe;			/* its chunk */
	int64_t		stripe_cut;		/* each chunk of a request is a separate
								 * request */

	/* times */
	int64_t		host;			/* on the way in and out, for any number
								 * concurrently */
	int64_t		read_command;	/* controller's, one request at a time */
	int64_t		write_command;
	int64_t		read_setup;		/* mapping, error correction: any number
								 * concurrently, not for pages read ahead */
	int64_t		write_setup;
	int64_t		turn_to_write;	/* after outstanding reads; 0: no waiting */
	int64_t		turn_to_read;
	int64_t		flash_command;	/* channel's, before each operation */
	int64_t		flash_read;		/* cells to register */
	int64_t		flash_program[SSDSIM_PROGRAM_TIMES];	/* register to cells,
														 * varying by page */
	int64_t		program_times;	/* number of these */
	int64_t		flash_erase;
	int64_t		channel_transfer;	/* per page, register to controller */
	int64_t		bus_transfer;	/* per page, controller to host */

	/* disks */
	int64_t		mechanical;
	int64_t		capacity;
	int64_t		seek_least;
	int64_t		seek_most;		/* from the first address to the last */
	int64_t		rotation;
	int64_t		media_transfer; /* per page under the head */
} SsdsimSpec;

/*
 * Reads a description; false with a message that names FILENAME and the line.
 */
extern bool ssdsim_spec_read(FILE *file, const char *filename,
							 SsdsimSpec *spec, SsdsimError *error);

/* The same for a file; PATH may be a shipped device's name. */
extern bool ssdsim_spec_load(const char *path, const char *folder,
							 SsdsimSpec *spec, SsdsimError *error);

/* Changes one value: LINE is as in a file. */
extern bool ssdsim_spec_set(SsdsimSpec *spec, const char *line,
							SsdsimError *error);

/* Lines that change a device after reading, from --set. */
#define SSDSIM_CHANGES_MAX 64

typedef struct SsdsimChanges
{
	const char *lines[SSDSIM_CHANGES_MAX];
	int			count;
} SsdsimChanges;

extern bool ssdsim_changes_add(SsdsimChanges *changes, const char *line,
							   SsdsimError *error);

/* A shipped device or a file, changed by these lines. */
extern bool ssdsim_spec_find(const char *path, const char *folder,
							 const SsdsimChanges *changes, SsdsimSpec *spec,
							 SsdsimError *error);

/* For one device: dies, planes, the host's pages, and their bytes. */
extern int64_t ssdsim_spec_dies(const SsdsimSpec *spec);
extern int64_t ssdsim_spec_planes(const SsdsimSpec *spec);
extern int64_t ssdsim_spec_user_pages(const SsdsimSpec *spec);

/* The sum over all devices. */
extern uint64_t ssdsim_spec_capacity(const SsdsimSpec *spec);

/*
 * The position on the device of BYTES, no more than the capacity, at any
 * ADDRESS, if addresses wrap around at its end.  They are contiguous, so at
 * the end they are moved slightly.
 */
extern uint64_t ssdsim_spec_fold(const SsdsimSpec *spec, uint64_t address,
								 uint64_t bytes);

#endif							/* SSDSIM_SPEC_H */
