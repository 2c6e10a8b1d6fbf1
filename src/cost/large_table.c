/*
 * large_table.c
 *		Decides from which size a table is planned by predicted time.
 *
 * Such planning takes time itself, so it must be able to save more.  What it
 * can save depends on how long reading the table takes, which for one size may
 * be 0.03 s on one device and 2 s on another.  ssdpar.cost_model_min_size is
 * the size for a device of half a gigabyte per second, where the default takes
 * an eighth of a second; on slower devices, proportionally smaller tables
 * count as large.
 *
 * The size is never reduced to less than a sixteenth, because small tables are
 * usually in memory.  It is not increased on faster devices, because there
 * most of the time is spent in the processors.  A tablespace without a profile
 * is not adjusted.
 *
 * The profile is looked up only if it can make a difference.
 */
#include "postgres.h"

#include "base/settings.h"
#include "cost/large_table.h"
#include "device/profile.h"

#define MIN_SIZE_BYTES_PER_SECOND 500e6
#define MOST_TIMES_SLOWER 16.0

static double
times_slower(Oid tablespace)
{
	const SsdparProfile *profile;

	if (!ssdpar_cost_model ||
		ssdpar_device_get(tablespace, &profile) == NULL)
		return 1.0;
	return Max(1.0, Min(MIN_SIZE_BYTES_PER_SECOND /
						ssdpar_profile_scan_bandwidth(profile),
						MOST_TIMES_SLOWER));
}

double
ssdpar_weighed_pages(Oid tablespace, double pages)
{
	return pages > 0 ? pages * times_slower(tablespace) : pages;
}

bool
ssdpar_are_large(double weighed)
{
	return weighed * (BLCKSZ / 1024.0) >= ssdpar_cost_model_min_size;
}

double
ssdpar_fewest_large_pages(void)
{
	return ssdpar_cost_model_min_size / (BLCKSZ / 1024.0) / MOST_TIMES_SLOWER;
}

bool
ssdpar_is_large_table(Oid tablespace, double pages)
{
	return ssdpar_are_large(pages) ||
		(pages >= ssdpar_fewest_large_pages() &&
		 ssdpar_are_large(ssdpar_weighed_pages(tablespace, pages)));
}
