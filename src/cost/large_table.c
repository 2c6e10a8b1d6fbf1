/*
 * large_table.c
 *		From which size on a table is worth being planned by time.
 *
 * Planning by time takes some time itself, so there has to be more at stake.
 * What is at stake is how long reading takes, which for one size is 0.03 s on
 * one device and 2 s on another.  ssdpar.cost_model_min_size says the size for
 * a device of half a gigabyte a second, where the default is an eighth of a
 * second; on a slower one less counts as large, as much less as it is slower.
 *
 * It is not less than a sixteenth: what is read in any time at all is mostly
 * in memory.  Not more on faster devices either: there processors take the
 * time.  A tablespace without a profile has no prices, and nothing to weigh.
 *
 * The profile is only looked for where it can decide.
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
