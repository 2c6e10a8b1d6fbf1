/*
 * ssdemu_model.h
 *		When a request to the emulated device completes.
 *
 * Pure arithmetic: the time of submission comes in, the time of completion
 * goes out.  The same requests at the same times with the same seed always
 * give the same completions.  Not thread-safe.
 */
#ifndef SSDEMU_MODEL_H
#define SSDEMU_MODEL_H

#include "ssdemu_calendar.h"
#include "ssdemu_profile.h"
#include "ssdemu_window.h"

#define SSDEMU_MAX_STREAMS 16
#define SSDEMU_READ_BUFFER 1024 /* chunks a stream's read-ahead can hold */

typedef enum SsdemuKind
{
	SSDEMU_READ,
	SSDEMU_WRITE,
} SsdemuKind;

typedef struct SsdemuBufferedChunk
{
	uint64_t	chunk;			/* number plus one; 0: none */
	int64_t		ready;
} SsdemuBufferedChunk;

/* A sequential read as the device sees it. */
typedef struct SsdemuStream
{
	uint64_t	next;			/* address that would continue it */
	uint64_t	used;			/* of which request, to find the oldest */
	uint64_t	ahead;			/* first chunk not yet read ahead */
	bool		established;	/* has been continued at least once */
	SsdemuBufferedChunk buffer[SSDEMU_READ_BUFFER];
} SsdemuStream;

typedef struct SsdemuModel
{
	SsdemuProfile profile;
	uint64_t	seed;
	uint64_t	random;			/* state, for a disk's rotation */
	uint64_t	requests;		/* so far */
	uint64_t	chunks_fetched; /* read because asked for */
	uint64_t	chunks_ahead;	/* read ahead so far */
	uint64_t	chunks_hit;		/* of which asked for later */
	uint64_t	head;			/* a disk's position */
	uint64_t	programs;		/* chunks programmed, for their placement */
	int64_t		reads_end;		/* of all reads so far */
	SsdemuKind	direction;		/* that the flash works in */
	SsdemuCalendar controller;
	SsdemuCalendar bus;
	SsdemuCalendar channels[SSDEMU_MAX_CHANNELS];
	SsdemuCalendar packages[SSDEMU_MAX_CHANNELS][SSDEMU_MAX_PACKAGES];
	SsdemuWindow queue;
	SsdemuWindow write_buffer;
	SsdemuStream streams[SSDEMU_MAX_STREAMS];
} SsdemuModel;

/* The model is large: allocate it. */
extern void ssdemu_model_init(SsdemuModel *model,
							  const SsdemuProfile *profile, uint64_t seed);

/*
 * Submit a request for BYTES (at least 1) at ADDRESS at time NOW, which never
 * goes back; gives the time of its completion.
 */
extern int64_t ssdemu_model_submit(SsdemuModel *model, SsdemuKind kind,
								   uint64_t address, uint32_t bytes,
								   int64_t now);

/* When everything written so far is in the flash. */
extern int64_t ssdemu_model_flush(SsdemuModel *model, int64_t now);

/* The channel and package that hold a chunk, for tests and statistics. */
extern int	ssdemu_model_channel(const SsdemuModel *model, uint64_t chunk);
extern int	ssdemu_model_package(const SsdemuModel *model, uint64_t chunk);

/* An even, repeatable mixture of 64 bits. */
extern uint64_t ssdemu_mix(uint64_t value);

#endif							/* SSDEMU_MODEL_H */
