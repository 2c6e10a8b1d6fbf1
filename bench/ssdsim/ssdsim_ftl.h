/*
 * ssdsim_ftl.h
 *		The flash translation layer: which physical page holds a page of the
 *		host's, where the next write goes, which block is collected.
 *
 * It knows no time: everything here happens at once.  A physical page is a
 * number that counts the pages of a block, the blocks of a plane, the planes
 * of the device.  Planes are numbered so that neighbours lie on different
 * channels, then packages, dies, and at last planes of one die: taking planes
 * in turn stripes in that order.
 */
#ifndef SSDSIM_FTL_H
#define SSDSIM_FTL_H

#include "ssdsim_spec.h"

#define SSDSIM_NO_PAGE UINT32_MAX

/* A page of which the program is not over yet: its data are in the buffer. */
#define SSDSIM_BUFFERED (UINT32_C(1) << 31)

typedef struct SsdsimBlock
{
	uint32_t	next;			/* of the free, or of those as valid */
	uint32_t	previous;
	uint16_t	valid;			/* pages that the host can still ask for */
	uint16_t	written;
	uint16_t	programs;		/* that are not over */
	uint16_t	listed;			/* may be collected */
} SsdsimBlock;

typedef struct SsdsimPlane
{
	uint32_t	free;			/* first free block */
	uint32_t	nfree;
	uint32_t	open[2];		/* being written: by the host, by collecting;
								 * without hot and cold the first is both's */
	uint32_t	valid;			/* pages */
	uint32_t	least;			/* no listed block has fewer valid pages */
	uint32_t	victim;			/* being collected */
	uint32_t	cursor;			/* its first page not looked at */
} SsdsimPlane;

typedef struct SsdsimFtl
{
	SsdsimSpec	spec;
	uint32_t	nplanes;
	uint32_t	user_pages;
	uint32_t	plane_limit;	/* valid pages that a plane may hold */
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

/* The plane that the next write of a page goes to. */
extern uint32_t ssdsim_ftl_plane_for(SsdsimFtl *ftl, uint32_t page);

/*
 * Whether a plane may be given this page: as one more valid one, or in place
 * of what it has of it.  By static striping it may: its pages are its own, and
 * fit.
 */
extern bool ssdsim_ftl_may_hold(const SsdsimFtl *ftl, uint32_t plane,
								uint32_t page);

/* Whether a plane has a page for the host, with enough left for collecting. */
extern bool ssdsim_ftl_has_room(const SsdsimFtl *ftl, uint32_t plane);

/*
 * Write the host's PAGE into a plane that has room; gives the physical page,
 * whose program is outstanding until ssdsim_ftl_programmed().
 */
extern uint32_t ssdsim_ftl_place(SsdsimFtl *ftl, uint32_t plane,
								 uint32_t page);
extern void ssdsim_ftl_programmed(SsdsimFtl *ftl, uint32_t physical);

/* The host has no use for a page any more. */
extern void ssdsim_ftl_trim(SsdsimFtl *ftl, uint32_t page);

typedef enum SsdsimGcStep
{
	SSDSIM_GC_NONE,				/* nothing can be gained now */
	SSDSIM_GC_COPY,				/* one page, in its plane */
	SSDSIM_GC_ERASE,
} SsdsimGcStep;

/*
 * Collecting: the next step of a plane's, for the block with the fewest valid
 * pages.  A copy is made in the maps at once, FROM one physical page TO
 * another.  An erase is over with ssdsim_ftl_erased().
 */
extern SsdsimGcStep ssdsim_ftl_collect(SsdsimFtl *ftl, uint32_t plane,
									   uint32_t *from, uint32_t *to);
extern void ssdsim_ftl_erased(SsdsimFtl *ftl, uint32_t plane);

/* Write a page and collect, as an idle device does, in no time. */
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
