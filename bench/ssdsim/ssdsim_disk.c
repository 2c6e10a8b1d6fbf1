/*
 * ssdsim_disk.c
 *		Seek time grows with the root of the distance, because the head
 *		accelerates for half of it and brakes for the other half.
 */
#include "ssdsim_disk.h"

#include <math.h>
#include <string.h>

#include "ssdsim_events.h"
#include "ssdsim_random.h"

void
ssdsim_disk_init(SsdsimDisk *disk, const SsdsimSpec *spec, uint64_t seed)
{
	memset(disk, 0, sizeof(*disk));
	disk->spec = *spec;
	disk->random = seed;
}

static int64_t
media_time(const SsdsimDisk *disk, uint64_t bytes)
{
	double		time = (double) bytes / (double) disk->spec.page_bytes *
		(double) disk->spec.media_transfer;

	/* limit times that would overflow */
	return time < SSDSIM_LAST / 2.0 ? (int64_t) time : SSDSIM_LAST / 2;
}

static int64_t
position_head(SsdsimDisk *disk, uint64_t address)
{
	const SsdsimSpec *spec = &disk->spec;
	uint64_t	distance = address > disk->head ? address - disk->head :
		disk->head - address;
	double		part = (double) distance / (double) spec->capacity;
	int64_t		passing = media_time(disk, distance);

	/* data closely ahead passes by soon */
	if (address >= disk->head &&
		passing <= spec->seek_least + spec->rotation / 2)
		return passing;
	return spec->seek_least +
		(int64_t) (sqrt(part) * (double) (spec->seek_most -
										  spec->seek_least)) +
		(int64_t) ssdsim_random_below(&disk->random,
									  (uint64_t) spec->rotation + 1);
}

int64_t
ssdsim_disk_serve(SsdsimDisk *disk, uint64_t address, uint64_t bytes,
				  int64_t now)
{
	int64_t		start = now + disk->spec.host;

	start = disk->free > start ? disk->free : start;
	disk->free = start + position_head(disk, address) +
		media_time(disk, bytes);
	disk->head = address + bytes;
	return disk->free;
}
