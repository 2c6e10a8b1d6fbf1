/*
 * ssdsim_ftl.h
 *		The flash translation layer: which physical page has a page of the
 *		host, where the next write goes, which block is collected.
 *
 * It knows no time, so everything here happens instantly.  A physical page is
 * a number that counts the pages of a block, the blocks of a plane, the planes
 * of the device.  Planes are numbered such that neighbors are on different
 * channels, then packages, dies, and finally planes of one die, so consecutive
 * planes stripe in that order.
 */
#ifndef SSDSIM_FTL_H
#define SSDSIM_FTL_H

#include "ssdsim_spec.h"

#define SSDSIM_NO_PAGE UINT32_MAX

/* A page whose program has not ended: its data is in the buffer. */
#define SSDSIM_BUFFERED (UINT32_C(1) << 31)

typedef struct SsdsimBlock
{
	uint32_t	next;			/* of the free ones, or of those with as many
								 * valid pages */
	uint32_t	previous;
	uint16_t	valid;			/* pages that the host can still read */
	uint16_t	written;
	uint16_t	programs;		/* that have not ended */
	uint16_t	listed;			/* may be collected */
} SsdsimBlock;

typedef struct SsdsimPlane
{
	uint32_t	free;			/* first free block */
	uint32_t	nfree;
	uint32_t	open[2];		/* being written: by the host, by collecting;
								 * without hot-cold, both use the first */
	uint32_t	valid;			/* pages */
	uint32_t	least;			/* no listed block has fewer valid pages */
	uint32_t	victim;			/* being collected */
	uint32_t	cursor;			/* its first page not checked */
} SsdsimPlane;

typedef struct SsdsimFtl
{
	SsdsimSpec	spec;
	uint32_t	nplanes;
	uint32_t	user_pages;
	uint32_t	plane_limit;	/* valid pages that a plane may have */
	uint64_t	turn;			/* of planes, in order of writes: pages */
	uint32_t   *page_of;		/* by the host's page: physical page */
	uint32_t   *owner;			/* by physical page: the host's */
	SsdsimBlock *blocks;
	SsdsimPlane *planes;
	uint32_t   *heads;			/* by plane and valid pages: listed blocks */
	uint64_t	placed;			/* pages written by the host, */
	uint64_t	moved;			/* and by collecting */
	uint64_t	erased;			/* blocks */
} SsdsimFtl;

/* Nothing is written yet. */
extern void ssdsim_ftl_init(SsdsimFtl *ftl, const SsdsimSpec *spec);
extern void ssdsim_ftl_free(SsdsimFtl *ftl);

/* The plane for the next write of a page. */
extern uint32_t ssdsim_ftl_plane_for(SsdsimFtl *ftl, uint32_t page);

/*
 * May a plane get this page, as one more valid page, or replacing its version
 * of it?  With static striping it may, because its pages are fixed and fit.
 */
extern bool ssdsim_ftl_may_hold(const SsdsimFtl *ftl, uint32_t plane,
								uint32_t page);

/* Does a plane have a page for the host, and enough left for collecting? */
extern bool ssdsim_ftl_has_room(const SsdsimFtl *ftl, uint32_t plane);

/*
 * Writes the host's PAGE into a plane with room; returns the physical page,
 * whose program is outstanding until ssdsim_ftl_programmed().
 */
extern uint32_t ssdsim_ftl_place(SsdsimFtl *ftl, uint32_t plane,
								 uint32_t page);
extern void ssdsim_ftl_programmed(SsdsimFtl *ftl, uint32_t physical);

/* The host no longer uses a page. */
extern void ssdsim_ftl_trim(SsdsimFtl *ftl, uint32_t page);

typedef enum SsdsimGcStep
{
	SSDSIM_GC_NONE,				/* nothing can be gained now */
	SSDSIM_GC_COPY,				/* one page, in its plane */
	SSDSIM_GC_ERASE,
} SsdsimGcStep;

/*
 * The next step of a plane's garbage collection, for the block with the fewest
 * valid pages.  A copy is made in the maps immediately, FROM one physical page
 * TO another.  An erase ends with ssdsim_ftl_erased().
 */
extern SsdsimGcStep ssdsim_ftl_collect(SsdsimFtl *ftl, uint32_t plane,
									   uint32_t *from, uint32_t *to);
extern void ssdsim_ftl_erased(SsdsimFtl *ftl, uint32_t plane);

/* Writes a page and collects, like an idle device, taking no time. */
extern void ssdsim_ftl_write_now(SsdsimFtl *ftl, uint32_t page);

static inline uint32_t
ssdsim_ftl_block_of(const SsdsimFtl *ftl, uint32_t physical)
{
	return physical / (uint32_t) ftl->spec.pages;
}

static inline uint32_t
ssdsim_ftl_plane_of(const SsdsimFtl *ftl, uint32_t physical)
{
	return ssdsim_ftl_block_of(ftl, physical) / (uint32_t) ftl->spec.blocks;
}

#endif							/* SSDSIM_FTL_H */
