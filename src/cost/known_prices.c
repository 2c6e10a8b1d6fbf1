/*
 * known_prices.c
 *		Cache of prices shared by all tables of a tablespace.
 *
 * There can be thousands of partitions, and core plans each in some ten
 * microseconds.  The profile, the load and the depth are the same for all of
 * them on a tablespace.  So is the price of a page in one kind of read if the
 * same share of the table is in memory, which is usually none or all.
 *
 * The prices of a tablespace are kept while one statement is planned, so that
 * we notice all changes between statements.  If another statement is planned
 * meanwhile, they are computed again.
 *
 * The price of a page follows from a profile, the load and the kind of read
 * alone, so it is kept longer, because computing it made planning of lookups
 * by key considerably slower.  Profiles are identified by their addresses,
 * which are valid as long as the version of the profiles does not change.
 */
#include "postgres.h"

#include "cost/known_prices.h"
#include "device/profile_file.h"

/* A table has fewer kinds of reads.  A miss costs time, but does no harm. */
#define PAGES_KEPT 16

typedef struct KnownPage
{
	const SsdparProfile *profile;
	SsdparDeviceLoad load;
	SsdparReads reads;
	double		processes;
	double		seconds;
} KnownPage;

static bool tablespace_known = false;
static bool tablespace_priced;	/* if false, core's prices are used */
static SsdparTablespacePrices known_tablespace; /* the last one */
static KnownPage known_pages[PAGES_KEPT];
static int	npages = 0;
static uint64 pages_version = 0;	/* of the profiles used for them */
static int	oldest = 0;			/* entry, replaced next when there is no room */

static void
forget_old_pages(void)
{
	uint64		version = ssdpar_profiles_version();

	if (pages_version != version)
		npages = 0;
	pages_version = version;
}

/* Tables are usually in one tablespace, or grouped by tablespace. */
const SsdparTablespacePrices *
ssdpar_tablespace_prices(Oid tablespace)
{
	SsdparTablespacePrices *known = &known_tablespace;

	if (!tablespace_known || known->tablespace != tablespace)
	{
		tablespace_known = false;
		forget_old_pages();
		known->tablespace = tablespace;
		tablespace_priced = ssdpar_model_get(tablespace, &known->model);
		tablespace_known = true;
	}
	return tablespace_priced ? known : NULL;
}

static bool
are_in_like_company(const SsdparDeviceLoad *one, const SsdparDeviceLoad *other)
{
	return one->others == other->others &&
		one->io_budget == other->io_budget;
}

static bool
are_alike(const SsdparReads *one, const SsdparReads *other)
{
	return one->pattern == other->pattern && one->pages == other->pages &&
		one->request_pages == other->request_pages &&
		one->depth == other->depth && one->overlap == other->overlap &&
		one->area_pages == other->area_pages &&
		one->resident.buffers == other->resident.buffers &&
		one->resident.page_cache == other->resident.page_cache;
}

static KnownPage *
find_page(const SsdparModel *model, const SsdparReads *reads, double processes)
{
	for (int i = 0; i < npages; i++)
	{
		KnownPage  *page = &known_pages[i];

		if (page->processes == processes && page->profile == model->profile &&
			are_in_like_company(&page->load, &model->load) &&
			are_alike(&page->reads, reads))
			return page;
	}
	return NULL;
}

static KnownPage *
new_page(void)
{
	if (npages < PAGES_KEPT)
		return &known_pages[npages++];
	oldest = (oldest + 1) % PAGES_KEPT;
	return &known_pages[oldest];
}

static double
find_out_page(const SsdparModel *model, const SsdparReads *reads,
			  double processes)
{
	SsdparPrice price = ssdpar_model_price_one(model, reads, 0.0, processes);

	return (price.total - price.startup) / reads->pages;
}

/* A model older than the cached pages belongs to an outer statement. */
double
ssdpar_page_seconds(const SsdparModel *model, const SsdparReads *reads,
					double processes)
{
	KnownPage  *page;

	if (model->version != pages_version)
		return find_out_page(model, reads, processes);
	page = find_page(model, reads, processes);
	if (page == NULL)
	{
		page = new_page();
		page->profile = model->profile;
		page->load = model->load;
		page->reads = *reads;
		page->processes = processes;
		/* arithmetic only, so it cannot fail */
		page->seconds = find_out_page(model, reads, processes);
	}
	return page->seconds;
}

void
ssdpar_known_prices_forget(void)
{
	tablespace_known = false;
}
