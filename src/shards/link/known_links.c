/*
 * known_links.c
 *		The measured links, for the planner.
 *
 * They are stored with the device profiles (device/profile_file.c).  A session
 * keeps a copy until the file changes.  An unusable file is reported where
 * devices are looked up (device/profile.c).
 */
#include "postgres.h"

#include "utils/memutils.h"

#include "device/profile_file.h"
#include "shards/link/known_links.h"

static MemoryContext links_context = NULL;
static SsdparStored *known = NULL;
static uint64 known_version = 0;	/* 0: none are known */

/*
 * The caller reads the version first, because the file may change while it is
 * read.
 */
static void
look_again(uint64 version)
{
	MemoryContext context;
	MemoryContext before;

	if (links_context != NULL)
		MemoryContextDelete(links_context);
	links_context = NULL;
	known_version = 0;
	context = AllocSetContextCreate(CurrentMemoryContext, "ssdpar links",
									ALLOCSET_SMALL_SIZES);
	before = MemoryContextSwitchTo(context);
	known = ssdpar_profiles_read().stored;
	MemoryContextSwitchTo(before);
	MemoryContextSetParent(context, CacheMemoryContext);
	links_context = context;
	known_version = version;
}

void
ssdpar_known_link(const char *address, SsdparLink *link)
{
	uint64		version = ssdpar_profiles_version();
	const SsdparStoredLink *measured;

	if (known_version != version)
		look_again(version);
	measured = ssdpar_stored_find_link(known, address);
	if (measured == NULL)
		return;
	link->latency_seconds = measured->latency_seconds;
	link->bytes_per_second = measured->bytes_per_second;
	link->device_bytes_per_second = measured->device_bytes_per_second;
	link->cost_unit_seconds = measured->cost_unit_seconds;
	link->measured = true;
}
