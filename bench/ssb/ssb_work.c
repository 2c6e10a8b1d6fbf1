/*
 * ssb_work.c
 *		Plans the items of a load: first the whole dimension tables, then the
 *		fact table in pieces.
 */
#include "ssb_work.h"

#include <stdlib.h>

/* Orders in one item: some 64,000 rows, a fraction of a second. */
#define ITEM_ORDERS 16384

static bool
add_item(SsbWork *work, SsbItem item, SsbError *error)
{
	SsbItem    *items = realloc(work->items, sizeof(SsbItem) *
								((size_t) work->nitems + 1));

	if (items == NULL)
		return ssb_fail(error, "out of memory");
	work->items = items;
	items[work->nitems++] = item;
	if (item.table != SSB_LINEORDER)
		work->ndimension_items = work->nitems;
	work->total_units +=
		item.file != NULL ? item.file->bytes : item.last - item.first;
	return true;
}

/* At a small scale, every connection should still get several items. */
static uint32_t
item_length(const SsbWork *work, SsbTable table, int jobs)
{
	uint32_t	units = work->gen->sizes.units[table];
	uint32_t	share = units / ((uint32_t) jobs * 4) + 1;

	if (table != SSB_LINEORDER)
		return units;
	return share < ITEM_ORDERS ? share : ITEM_ORDERS;
}

static bool
add_ranges(SsbWork *work, SsbTable table, int jobs, SsbError *error)
{
	uint32_t	units = work->gen->sizes.units[table];
	uint32_t	length = item_length(work, table, jobs);

	for (uint32_t first = 0; first < units; first += length)
	{
		uint32_t	last = units - first < length ? units : first + length;

		if (!add_item(work, (SsbItem) {table, first, last, NULL}, error))
			return false;
	}
	return true;
}

static bool
add_files(SsbWork *work, SsbTable table, SsbError *error)
{
	for (int i = 0; i < work->files.nfiles; i++)
	{
		const SsbTblFile *file = &work->files.files[i];

		if (file->table == table &&
			!add_item(work, (SsbItem) {table, 0, 0, file}, error))
			return false;
	}
	return true;
}

/* All files are found before items point into the complete list. */
static bool
find_files(SsbWork *work, const char *directory, SsbError *error)
{
	for (int i = 0; i < SSB_NTABLES; i++)
	{
		if (work->wanted[i] &&
			!ssb_tbl_find(directory, (SsbTable) i, &work->files, error))
			return false;
	}
	return true;
}

bool
ssb_work_plan(SsbWork *work, const SsbGen *gen, const char *directory,
			  int jobs, SsbError *error)
{
	work->gen = gen;
	if (gen == NULL && !find_files(work, directory, error))
		return false;

	/*
	 * From the last table to the first, because the fact table is the first.
	 */
	for (int i = SSB_NTABLES - 1; i >= 0; i--)
	{
		if (!work->wanted[i])
			continue;
		if (gen != NULL ? !add_ranges(work, (SsbTable) i, jobs, error)
			: !add_files(work, (SsbTable) i, error))
			return false;
	}
	return true;
}

void
ssb_work_free(SsbWork *work)
{
	ssb_tbl_free(&work->files);
	free(work->items);
	work->items = NULL;
	work->nitems = 0;
}

bool
ssb_work_feed(const SsbWork *work, const SsbItem *item, SsbSink sink,
			  void *arg, SsbError *error)
{
	if (item->file != NULL)
		return ssb_tbl_read(item->file, sink, arg, error);
	return ssb_emit(work->gen, SSB_COPY, item->table, item->first,
					item->last, sink, arg);
}
