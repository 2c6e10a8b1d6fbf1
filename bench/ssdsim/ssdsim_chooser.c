/*
 * ssdsim_chooser.c
 *		Random numbers are drawn in a fixed order, and none without a choice,
 *		so that a load is the same on any device.
 */
#include "ssdsim_chooser.h"

#include "ssdsim_random.h"

#define CHANCES (UINT64_C(1) << 53)

static bool
happens(uint64_t *random, double share)
{
	if (share <= 0 || share >= 1)
		return share >= 1;
	return (double) ssdsim_random_below(random, CHANCES) <
		share * (double) CHANCES;
}

/* Requests begin at multiples of the usual size, and none extends too far. */
void
ssdsim_choose(SsdsimChooser *chooser, uint64_t *random,
			  SsdsimRequest *request)
{
	const SsdsimLoop *loop = chooser->loop;
	uint64_t	most = loop->large_bytes > loop->bytes ? loop->large_bytes :
		loop->bytes;
	uint64_t	places = (loop->length - most) / loop->bytes + 1;
	uint64_t	place;

	request->kind = happens(random, loop->read_share) ? SSDSIM_READ :
		SSDSIM_WRITE;
	request->bytes = loop->large_bytes > 0 &&
		happens(random, loop->large_share) ? loop->large_bytes : loop->bytes;
	if (happens(random, loop->random_share[request->kind]))
		place = ssdsim_random_below(random, places);
	else
		place = chooser->cursor[request->kind];
	request->address = loop->first + place * loop->bytes;
	place += (request->bytes + loop->bytes - 1) / loop->bytes;
	chooser->cursor[request->kind] = place < places ? place : 0;
}
