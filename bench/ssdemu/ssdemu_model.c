/*
 * ssdemu_model.c
 *		The generalised SSD of Chen et al. (2016), section 5.1, as a set of
 *		resources with calendars.
 *
 * A read of one chunk goes
 *
 *	queue -> controller -> package (flash to register) -> channel -> bus
 *
 * and a write controller -> bus -> write buffer, where it is complete, and
 * from there channel -> package in the background.  Controller and bus are
 * one each; channels and packages work in parallel, which is all that makes
 * an SSD fast.  A request is complete when its last chunk is.
 *
 * What it deliberately leaves out: garbage collection and wear, and a mapping
 * that follows the order of writes; the layout is that of a device that was
 * filled sequentially, as the paper's was before each measurement.
 */
#include "ssdemu_model.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define Max(a, b) ((a) > (b) ? (a) : (b))
#define Min(a, b) ((a) < (b) ? (a) : (b))

/* The finaliser of splitmix64. */
uint64_t
ssdemu_mix(uint64_t value)
{
	value += UINT64_C(0x9e3779b97f4a7c15);
	value = (value ^ (value >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	value = (value ^ (value >> 27)) * UINT64_C(0x94d049bb133111eb);
	return value ^ (value >> 31);
}

void
ssdemu_model_init(SsdemuModel *model, const SsdemuProfile *profile,
				  uint64_t seed)
{
	assert(profile->channels <= SSDEMU_MAX_CHANNELS);
	assert(profile->packages <= SSDEMU_MAX_PACKAGES);
	assert(profile->readahead_streams <= SSDEMU_MAX_STREAMS);
	assert(profile->queue_depth <= SSDEMU_WINDOW_MAX);
	assert(profile->write_buffer_chunks <= SSDEMU_WINDOW_MAX);
	memset(model, 0, sizeof(*model));
	model->profile = *profile;
	model->seed = seed;
	model->random = ssdemu_mix(seed);
	model->queue.limit = profile->queue_depth;
	model->write_buffer.limit = profile->write_buffer_chunks;
}

int
ssdemu_model_channel(const SsdemuModel *model, uint64_t chunk)
{
	uint64_t	channels = (uint64_t) model->profile.channels;

	switch (model->profile.mapping)
	{
		case SSDEMU_MAP_STRIPE:
			return (int) (chunk % channels);
		case SSDEMU_MAP_HASH:
			return (int) (ssdemu_mix(model->seed ^ chunk) % channels);
		case SSDEMU_MAP_SINGLE:
			break;
	}
	return 0;
}

/* Packages take turns stripe by stripe. */
int
ssdemu_model_package(const SsdemuModel *model, uint64_t chunk)
{
	return (int) (chunk / (uint64_t) model->profile.channels %
				  (uint64_t) model->profile.packages);
}

/* ----- reading ----- */

/* When a chunk, asked for at READY, is in the controller. */
static int64_t
fetch_chunk(SsdemuModel *model, uint64_t chunk, int64_t ready)
{
	const SsdemuProfile *profile = &model->profile;
	int			channel = ssdemu_model_channel(model, chunk);
	SsdemuCalendar *package =
		&model->packages[channel][ssdemu_model_package(model, chunk)];
	int64_t		both = profile->flash_read + profile->channel_transfer;

	/* the package's register is taken until it has been transferred */
	ready = ssdemu_calendar_reserve(package, ready, both) - both;
	return ssdemu_calendar_reserve(&model->channels[channel],
								   ready + profile->flash_read,
								   profile->channel_transfer);
}

/*
 * The stream that a read continues, or the oldest one, begun anew.  An
 * established stream forgives requests that overtake one another within what
 * is read ahead.
 */
static SsdemuStream *
follow_stream(SsdemuModel *model, uint64_t address, uint64_t end)
{
	uint64_t	slack = (uint64_t) model->profile.readahead_chunks *
		model->profile.chunk_bytes;
	SsdemuStream *oldest = &model->streams[0];

	for (int i = 0; i < model->profile.readahead_streams; i++)
	{
		SsdemuStream *stream = &model->streams[i];
		uint64_t	off = address > stream->next ? address - stream->next :
			stream->next - address;

		if (stream->used != 0 &&
			(off == 0 || (stream->established && off <= slack)))
		{
			stream->established = true;
			stream->next = Max(end, stream->next);
			stream->used = model->requests;
			return stream;
		}
		if (stream->used < oldest->used)
			oldest = stream;
	}
	memset(oldest, 0, sizeof(*oldest));
	oldest->next = end;
	oldest->used = model->requests;
	return oldest;
}

static SsdemuBufferedChunk *
buffered(SsdemuStream *stream, uint64_t chunk)
{
	return &stream->buffer[chunk % SSDEMU_READ_BUFFER];
}

/* Order what follows a sequential read, as far as that is not yet done. */
static void
read_ahead(SsdemuModel *model, SsdemuStream *stream, int64_t ready)
{
	uint64_t	after = (stream->next + model->profile.chunk_bytes - 1) /
		model->profile.chunk_bytes;
	uint64_t	until = after + (uint64_t) model->profile.readahead_chunks;

	for (uint64_t chunk = Max(after, stream->ahead); chunk < until; chunk++)
	{
		SsdemuBufferedChunk *place = buffered(stream, chunk);

		place->chunk = chunk + 1;
		place->ready = fetch_chunk(model, chunk, ready);
		model->chunks_ahead++;
	}
	stream->ahead = Max(stream->ahead, until);
}

/* When a chunk of a read is in the controller, perhaps since before. */
static int64_t
find_chunk(SsdemuModel *model, SsdemuStream *stream, uint64_t chunk,
		   int64_t ready)
{
	if (stream != NULL && buffered(stream, chunk)->chunk == chunk + 1)
	{
		model->chunks_hit++;
		return Max(ready, buffered(stream, chunk)->ready);
	}
	model->chunks_fetched++;
	return fetch_chunk(model, chunk, ready + model->profile.read_setup);
}

/* The bus's share for the part of a chunk that a request covers. */
static int64_t
bus_time(const SsdemuModel *model, uint64_t chunk, uint64_t address,
		 uint64_t end)
{
	uint64_t	size = model->profile.chunk_bytes;
	uint64_t	from = Max(address, chunk * size);
	uint64_t	to = Min(end, (chunk + 1) * size);

	return model->profile.bus_transfer * (int64_t) (to - from) /
		(int64_t) size;
}

static int64_t
submit_read(SsdemuModel *model, uint64_t address, uint64_t end, int64_t start)
{
	const SsdemuProfile *profile = &model->profile;
	uint64_t	size = profile->chunk_bytes;
	SsdemuStream *stream = NULL;
	uint64_t	fetched = model->chunks_fetched;
	int64_t		ready;
	int64_t		done = 0;

	if (model->direction == SSDEMU_WRITE)
		start += profile->turn_to_read;
	ready = ssdemu_calendar_reserve(&model->controller, start,
									profile->read_command);
	if (profile->readahead_chunks > 0)
		stream = follow_stream(model, address, end);
	for (uint64_t chunk = address / size; chunk * size < end; chunk++)
	{
		int64_t		there = find_chunk(model, stream, chunk, ready);

		there = ssdemu_calendar_reserve(&model->bus, there,
										bus_time(model, chunk, address, end));
		done = Max(done, there);
	}
	done += profile->host;
	/* what was read ahead comes out of memory and turns nothing round */
	if (model->chunks_fetched != fetched)
	{
		model->direction = SSDEMU_READ;
		model->reads_end = Max(model->reads_end, done);
	}
	if (stream != NULL && stream->established)
		read_ahead(model, stream, ready);
	return done;
}

/* ----- writing ----- */

/*
 * When a chunk that is in the write buffer at READY is in the flash.  Chunks
 * go to the channels in the order they come, whatever their address (paper,
 * section 5.4).
 */
static int64_t
program_chunk(SsdemuModel *model, int64_t ready)
{
	const SsdemuProfile *profile = &model->profile;
	uint64_t	turn = model->programs++;
	int			channel = (int) (turn % (uint64_t) profile->channels);
	SsdemuCalendar *package =
		&model->packages[channel][ssdemu_model_package(model, turn)];
	int64_t		both = profile->channel_transfer + profile->flash_program;

	ready = ssdemu_calendar_reserve(package, ready, both) - both;
	ready = ssdemu_calendar_reserve(&model->channels[channel], ready,
									profile->channel_transfer);
	return ready + profile->flash_program;
}

/* Reads under way must end before the device turns round (Table II). */
static int64_t
submit_write(SsdemuModel *model, uint64_t address, uint64_t end,
			 int64_t start)
{
	const SsdemuProfile *profile = &model->profile;
	uint64_t	size = profile->chunk_bytes;
	int64_t		done = 0;

	if (model->direction == SSDEMU_READ && model->reads_end > 0)
		start = Max(start, model->reads_end) + profile->turn_to_write;
	model->direction = SSDEMU_WRITE;
	start = ssdemu_calendar_reserve(&model->controller, start,
									profile->write_command);
	start += profile->write_setup;
	for (uint64_t chunk = address / size; chunk * size < end; chunk++)
	{
		int64_t		there = ssdemu_window_enter(&model->write_buffer, start);

		there = ssdemu_calendar_reserve(&model->bus, there,
										bus_time(model, chunk, address, end));
		ssdemu_window_add(&model->write_buffer, program_chunk(model, there));
		done = Max(done, there);
	}
	return done + profile->host;
}

/* ----- disks ----- */

static int64_t
media_time(const SsdemuModel *model, uint64_t bytes)
{
	return (int64_t) ((double) bytes / model->profile.chunk_bytes *
					  (double) model->profile.media_transfer);
}

/* Seek and rotation before the head is at an address. */
static int64_t
position_head(SsdemuModel *model, uint64_t address)
{
	const SsdemuProfile *profile = &model->profile;
	uint64_t	distance = address > model->head ? address - model->head :
		model->head - address;
	double		part = (double) distance / (double) profile->capacity;
	int64_t		passing = media_time(model, distance);

	/* what lies just ahead comes by soon */
	if (address >= model->head &&
		passing <= profile->seek_least + profile->rotation / 2)
		return passing;
	model->random = ssdemu_mix(model->random);
	/* time for a distance grows as its root: half accelerates, half brakes */
	return profile->seek_least +
		(int64_t) (sqrt(Min(part, 1.0)) *
				   (double) (profile->seek_most - profile->seek_least)) +
		(int64_t) (model->random % (uint64_t) Max(profile->rotation, 1));
}

static int64_t
submit_mechanical(SsdemuModel *model, uint64_t address, uint64_t end,
				  int64_t start)
{
	int64_t		work = position_head(model, address) +
		media_time(model, end - address);

	model->head = end;
	start += model->profile.host;
	return ssdemu_calendar_reserve(&model->channels[0], start, work);
}

/* ----- both ----- */

static void
forget_past(SsdemuModel *model, int64_t now)
{
	ssdemu_calendar_forget(&model->controller, now);
	ssdemu_calendar_forget(&model->bus, now);
	for (int i = 0; i < model->profile.channels; i++)
	{
		ssdemu_calendar_forget(&model->channels[i], now);
		for (int j = 0; j < model->profile.packages; j++)
			ssdemu_calendar_forget(&model->packages[i][j], now);
	}
}

int64_t
ssdemu_model_submit(SsdemuModel *model, SsdemuKind kind, uint64_t address,
					uint32_t bytes, int64_t now)
{
	uint64_t	end = address + bytes;
	int64_t		start;
	int64_t		done;

	assert(bytes > 0);
	model->requests++;
	forget_past(model, now);
	start = ssdemu_window_enter(&model->queue, now);
	if (model->profile.mechanical)
		done = submit_mechanical(model, address, end, start);
	else if (kind == SSDEMU_READ)
		done = submit_read(model, address, end, start);
	else
		done = submit_write(model, address, end, start);
	ssdemu_window_add(&model->queue, done);
	return done;
}

int64_t
ssdemu_model_flush(SsdemuModel *model, int64_t now)
{
	int64_t		done = now + model->profile.host;

	for (int i = 0; i < model->write_buffer.count; i++)
		done = Max(done, model->write_buffer.ends[i]);
	return done;
}
