/*
 * ssdsim_ftl.c
 *		Page mapping, write-order or static striping, greedy collection.
 *
 * Blocks that may be collected are listed by their number of valid pages, so
 * the greediest choice is the head of the first nonempty list.
 *
 * Why there is no deadlock: the host leaves a plane at least a block's worth
 * of free pages; a victim has an invalid page, so it has fewer valid ones than
 * a block has pages; and the victim's own block becomes free before the next
 * one is started.  There is a victim whenever the host has to wait, because
 * then all blocks but the reserve are full, and a plane gets no more pages of
 * the host than fit into one block less, plane_limit.
 */
#include "ssdsim_ftl.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

#define NONE SSDSIM_NO_PAGE
#define HOST 0					/* index into SsdsimPlane.open */

static uint32_t *
new_numbers(size_t count)
{
	uint32_t   *numbers = ssdsim_enlarge(NULL, count, sizeof(uint32_t));

	memset(numbers, 0xff, count * sizeof(uint32_t));
	return numbers;
}

static void
init_plane(SsdsimFtl *ftl, uint32_t number)
{
	SsdsimPlane *plane = &ftl->planes[number];
	uint32_t	nblocks = (uint32_t) ftl->spec.blocks;

	*plane = (SsdsimPlane)
	{
		.free = number * nblocks, .nfree = nblocks,
			.open =
		{
			NONE, NONE
		}, .victim = NONE
	};
	plane->least = (uint32_t) ftl->spec.pages;
	for (uint32_t i = 0; i < nblocks; i++)
		ftl->blocks[number * nblocks + i].next =
			i + 1 < nblocks ? number * nblocks + i + 1 : NONE;
}

void
ssdsim_ftl_init(SsdsimFtl *ftl, const SsdsimSpec *spec)
{
	size_t		nblocks;

	memset(ftl, 0, sizeof(*ftl));
	ftl->spec = *spec;
	ftl->nplanes = (uint32_t) ssdsim_spec_planes(spec);
	ftl->user_pages = (uint32_t) ssdsim_spec_user_pages(spec);
	ftl->plane_limit = (uint32_t) ((spec->blocks - 2 - spec->hot_cold) *
								   spec->pages);
	nblocks = (size_t) ftl->nplanes * (size_t) spec->blocks;
	ftl->page_of = new_numbers(ftl->user_pages);
	ftl->owner = new_numbers(nblocks * (size_t) spec->pages);
	ftl->blocks = ssdsim_allocate(nblocks, sizeof(SsdsimBlock));
	ftl->planes = ssdsim_allocate(ftl->nplanes, sizeof(SsdsimPlane));
	ftl->heads = new_numbers((size_t) ftl->nplanes *
							 (size_t) (spec->pages + 1));
	for (uint32_t i = 0; i < ftl->nplanes; i++)
		init_plane(ftl, i);
}

void
ssdsim_ftl_free(SsdsimFtl *ftl)
{
	free(ftl->page_of);
	free(ftl->owner);
	free(ftl->blocks);
	free(ftl->planes);
	free(ftl->heads);
}

/* ----- listed blocks ----- */

static uint32_t
plane_of_block(const SsdsimFtl *ftl, uint32_t block)
{
	return block / (uint32_t) ftl->spec.blocks;
}

static uint32_t *
head_for(SsdsimFtl *ftl, uint32_t plane, uint32_t valid)
{
	return &ftl->heads[(size_t) plane * (size_t) (ftl->spec.pages + 1) +
					   valid];
}

static void
list_block(SsdsimFtl *ftl, uint32_t plane, uint32_t number)
{
	SsdsimBlock *block = &ftl->blocks[number];
	uint32_t   *head = head_for(ftl, plane, block->valid);

	block->listed = 1;
	block->previous = NONE;
	block->next = *head;
	if (*head != NONE)
		ftl->blocks[*head].previous = number;
	*head = number;
	if (block->valid < ftl->planes[plane].least)
		ftl->planes[plane].least = block->valid;
}

static void
unlist_block(SsdsimFtl *ftl, uint32_t plane, uint32_t number)
{
	SsdsimBlock *block = &ftl->blocks[number];

	block->listed = 0;
	if (block->previous != NONE)
		ftl->blocks[block->previous].next = block->next;
	else
		*head_for(ftl, plane, block->valid) = block->next;
	if (block->next != NONE)
		ftl->blocks[block->next].previous = block->previous;
}

/* A block is listed once it is full and all of it is programmed. */
static void
list_if_done(SsdsimFtl *ftl, uint32_t plane, uint32_t number)
{
	const SsdsimBlock *block = &ftl->blocks[number];

	if (block->written == ftl->spec.pages && block->programs == 0)
		list_block(ftl, plane, number);
}

/* ----- pages ----- */

static void
invalidate(SsdsimFtl *ftl, uint32_t physical)
{
	uint32_t	number = ssdsim_ftl_block_of(ftl, physical);
	uint32_t	plane = plane_of_block(ftl, number);
	SsdsimBlock *block = &ftl->blocks[number];
	bool		listed = block->listed;

	assert(block->valid > 0);
	if (listed)
		unlist_block(ftl, plane, number);
	block->valid--;
	ftl->planes[plane].valid--;
	ftl->owner[physical] = NONE;
	if (listed)
		list_block(ftl, plane, number);
}

/*
 * The next page of an open block, which is opened if necessary.  A copy has no
 * program that must be waited for, because its plane makes one step at a time.
 */
static uint32_t
append(SsdsimFtl *ftl, uint32_t number, int stream, uint32_t page,
	   uint16_t programs)
{
	SsdsimPlane *plane = &ftl->planes[number];
	uint32_t   *open = &plane->open[stream];
	SsdsimBlock *block;
	uint32_t	physical;

	if (*open == NONE)
	{
		assert(plane->nfree > 0);
		*open = plane->free;
		plane->free = ftl->blocks[*open].next;
		plane->nfree--;
	}
	block = &ftl->blocks[*open];
	physical = *open * (uint32_t) ftl->spec.pages + block->written;
	block->written++;
	block->valid++;
	block->programs += programs;
	plane->valid++;
	ftl->owner[physical] = page;
	ftl->page_of[page] = physical;
	if (block->written == ftl->spec.pages)
	{
		list_if_done(ftl, number, *open);
		*open = NONE;
	}
	return physical;
}

bool
ssdsim_ftl_has_room(const SsdsimFtl *ftl, uint32_t plane)
{
	const SsdsimPlane *asked = &ftl->planes[plane];
	uint32_t	pages = (uint32_t) ftl->spec.pages;
	uint64_t	left = (uint64_t) asked->nfree * pages;

	if (asked->open[HOST] != NONE)
		left += pages - ftl->blocks[asked->open[HOST]].written;
	return left > pages;
}

bool
ssdsim_ftl_may_hold(const SsdsimFtl *ftl, uint32_t plane, uint32_t page)
{
	uint32_t	physical = ftl->page_of[page];

	return ftl->spec.mapping == SSDSIM_MAP_STATIC ||
		ftl->planes[plane].valid < ftl->plane_limit ||
		(physical != NONE && ssdsim_ftl_plane_of(ftl, physical) == plane);
}

/*
 * Skips planes that have reached their limit, because an unlucky order of
 * writes could demand more of a plane than it can hold.  If all planes have,
 * all pages are on one, which may hold its own.
 */
uint32_t
ssdsim_ftl_plane_for(SsdsimFtl *ftl, uint32_t page)
{
	uint64_t	chunk = (uint64_t) ftl->spec.chunk;
	uint32_t	plane = (uint32_t) (page / chunk % ftl->nplanes);

	if (ftl->spec.mapping == SSDSIM_MAP_STATIC)
		return plane;
	for (uint32_t i = 0; i < ftl->nplanes; i++)
	{
		plane = (uint32_t) (ftl->turn / chunk % ftl->nplanes);
		if (ssdsim_ftl_may_hold(ftl, plane, page))
			break;
		ftl->turn = (ftl->turn / chunk + 1) * chunk;
	}
	ftl->turn++;
	return plane;
}

uint32_t
ssdsim_ftl_place(SsdsimFtl *ftl, uint32_t plane, uint32_t page)
{
	uint32_t	physical;

	assert(ssdsim_ftl_has_room(ftl, plane));
	if (ftl->page_of[page] != NONE)
		invalidate(ftl, ftl->page_of[page]);
	physical = append(ftl, plane, HOST, page, 1);
	ftl->owner[physical] |= SSDSIM_BUFFERED;
	ftl->placed++;
	return physical;
}

void
ssdsim_ftl_programmed(SsdsimFtl *ftl, uint32_t physical)
{
	uint32_t	number = ssdsim_ftl_block_of(ftl, physical);

	if (ftl->owner[physical] != NONE)
		ftl->owner[physical] &= ~SSDSIM_BUFFERED;
	ftl->blocks[number].programs--;
	list_if_done(ftl, plane_of_block(ftl, number), number);
}

void
ssdsim_ftl_trim(SsdsimFtl *ftl, uint32_t page)
{
	if (ftl->page_of[page] == NONE)
		return;
	invalidate(ftl, ftl->page_of[page]);
	ftl->page_of[page] = NONE;
}

/* ----- collecting ----- */

/* The listed block with the fewest valid pages, if collecting it gains any. */
static uint32_t
choose_victim(SsdsimFtl *ftl, uint32_t number)
{
	SsdsimPlane *plane = &ftl->planes[number];
	uint32_t	pages = (uint32_t) ftl->spec.pages;

	while (plane->least < pages &&
		   *head_for(ftl, number, plane->least) == NONE)
		plane->least++;
	return plane->least < pages ? *head_for(ftl, number, plane->least) : NONE;
}

/* Moves the valid page at FROM to a block of its plane. */
static uint32_t
move(SsdsimFtl *ftl, uint32_t plane, uint32_t from)
{
	uint32_t	page = ftl->owner[from];

	invalidate(ftl, from);
	ftl->moved++;
	return append(ftl, plane, ftl->spec.hot_cold ? 1 : HOST, page, 0);
}

SsdsimGcStep
ssdsim_ftl_collect(SsdsimFtl *ftl, uint32_t plane, uint32_t *from,
				   uint32_t *to)
{
	SsdsimPlane *collected = &ftl->planes[plane];
	uint32_t	pages = (uint32_t) ftl->spec.pages;

	if (collected->victim == NONE)
	{
		collected->victim = choose_victim(ftl, plane);
		collected->cursor = 0;
		if (collected->victim == NONE)
			return SSDSIM_GC_NONE;
		unlist_block(ftl, plane, collected->victim);
	}
	while (collected->cursor < pages)
	{
		*from = collected->victim * pages + collected->cursor++;
		if (ftl->owner[*from] == NONE)
			continue;
		*to = move(ftl, plane, *from);
		return SSDSIM_GC_COPY;
	}
	return SSDSIM_GC_ERASE;
}

void
ssdsim_ftl_erased(SsdsimFtl *ftl, uint32_t plane)
{
	SsdsimPlane *collected = &ftl->planes[plane];
	SsdsimBlock *block = &ftl->blocks[collected->victim];

	assert(block->valid == 0 && block->programs == 0);
	block->written = 0;
	block->next = collected->free;
	collected->free = collected->victim;
	collected->nfree++;
	collected->victim = NONE;
	ftl->erased++;
}

void
ssdsim_ftl_write_now(SsdsimFtl *ftl, uint32_t page)
{
	uint32_t	plane = ssdsim_ftl_plane_for(ftl, page);
	uint32_t	from;
	uint32_t	to;
	uint32_t	wanted = (uint32_t) (ftl->spec.gc_high > ftl->spec.gc_low ?
									 ftl->spec.gc_high :
									 ftl->spec.gc_low + 1);

	while (ftl->planes[plane].nfree < wanted)
	{
		SsdsimGcStep step = ssdsim_ftl_collect(ftl, plane, &from, &to);

		if (step == SSDSIM_GC_NONE)
			break;
		if (step == SSDSIM_GC_ERASE)
			ssdsim_ftl_erased(ftl, plane);
	}
	ssdsim_ftl_programmed(ftl, ssdsim_ftl_place(ftl, plane, page));
}
