/*
 * ssdemu_profile.h
 *		What a device is made of, in the words of Chen et al. (2016), section
 *		5.1: domains (here channels), subdomains (packages), chunks, mapping.
 *
 * Times are in nanoseconds.  "Paper" below is that article.
 */
#ifndef SSDEMU_PROFILE_H
#define SSDEMU_PROFILE_H

#include <stdbool.h>
#include <stdint.h>

#define SSDEMU_MAX_CHANNELS 64
#define SSDEMU_MAX_PACKAGES 8	/* of one channel */

typedef enum SsdemuMapping
{
	SSDEMU_MAP_STRIPE,			/* chunk number modulo channels */
	SSDEMU_MAP_HASH,			/* a channel by chance, by the seed */
	SSDEMU_MAP_SINGLE,			/* all on one channel: the worst layout */
} SsdemuMapping;

typedef struct SsdemuProfile
{
	const char *name;
	const char *about;
	bool		mechanical;		/* a disk: positions count, channels do not */
	SsdemuMapping mapping;
	int			channels;
	int			packages;		/* of each channel */
	int			queue_depth;	/* requests the device accepts at a time */
	uint32_t	chunk_bytes;
	int			write_buffer_chunks;
	int			readahead_chunks;	/* read ahead of a stream; 0: never */
	int			readahead_streams;	/* streams that it can follow */
	int64_t		host;			/* on the way in and out, any number at once */
	int64_t		read_command;	/* controller's, one request at a time */
	int64_t		write_command;
	int64_t		read_setup;		/* mapping and error correction, likewise any
								 * number at once; not for chunks read ahead */
	int64_t		write_setup;
	int64_t		flash_read;		/* a chunk, flash to package register */
	int64_t		flash_program;	/* a chunk, register to flash */
	int64_t		channel_transfer;	/* a chunk, package to controller */
	int64_t		bus_transfer;	/* a chunk, controller to host */
	int64_t		turn_to_write;	/* after the reads under way have ended */
	int64_t		turn_to_read;
	/* of disks only */
	int64_t		seek_least;
	int64_t		seek_most;		/* from the first address to the last */
	int64_t		rotation;		/* of a full turn */
	int64_t		media_transfer; /* a chunk under the head */
	uint64_t	capacity;		/* bytes; addresses are below it */
} SsdemuProfile;

/* NULL if there is none of that name. */
extern const SsdemuProfile *ssdemu_profile_find(const char *name);

/* The I-th profile, NULL past the last. */
extern const SsdemuProfile *ssdemu_profile_at(int i);

#endif							/* SSDEMU_PROFILE_H */
