/*
 * result.h
 *		What a star scan has to know before it reads a row of the fact: the
 *		reducers' key sets and, by bitmap, the pages.  Its memory has one
 *		owner, which is here.
 *
 * The result proper is flat and written by one process; where several share
 * it, it lies in the query's shared memory, and SsdparStarData is what each
 * process has of it at its own addresses.  After it has been made no
 * process writes to it: all read it without a lock.
 *
 * Whether it is private or shared, only this file knows; those who fill it
 * allocate through ssdpar_star_data_allocate().
 */
#ifndef SSDPAR_STAR_RESULT_H
#define SSDPAR_STAR_RESULT_H

#include "portability/instr_time.h"
#include "utils/dsa.h"

#include "keys/key_rows.h"
#include "keys/key_set.h"
#include "tids/tid_pages.h"

/* What came of one reducer. */
typedef struct SsdparReducerResult
{
	bool		known;			/* the child has been read */
	uint64		rows;			/* of the child, after its own reducers */
	uint64		keys;			/* distinct; those added to a Bloom filter */
	SsdparKeySetKind kind;		/* none: no memory for the set, or no keys */
	dsa_pointer set;			/* of the key set, if shared */
	Size		bytes;			/* of the set and the joined rows */
	dsa_pointer joined;			/* of the SsdparKeyRows, if shared */
	bool		by_index;		/* its index was read for the bitmap ... */
	bool		exact;			/* ... and rows of exact pages need no test */
	uint64		index_rows;
	uint64		index_leaves;
} SsdparReducerResult;

typedef struct SsdparStarResult
{
	bool		empty;			/* no row of the fact can match */
	bool		bitmap;			/* read the pages of the bitmap, not all */
	bool		too_many_pages; /* planned by bitmap, all are read faster */
	int			key_readers;	/* processes that read a dimension for it */
	int			index_readers;	/* the same, of indexes */
	dsa_pointer pages;			/* of the SsdparTidPages, if shared */
	uint32		exact_pages;
	uint32		lossy_pages;
	instr_time	keys_time;
	instr_time	bitmap_time;
	uint64		fact_asked;		/* pages, while keys were collected */
	uint64		dimensions_asked;	/* the same, of dimensions to come */
	SsdparReducerResult reducers[FLEXIBLE_ARRAY_MEMBER];
} SsdparStarResult;

/*
 * Invariant: without a result sets are all NULL, pages and constant_tids are,
 * and the context is empty.  With a result that is complete, sets[i] is NULL
 * exactly where its kind is none (but for what each process has of its own: a
 * lender's, or what the shared memory had no room for), and pages is not NULL
 * exactly if it is by bitmap.  Once every process has what it needs
 * (prepare.c), joined[i] is not NULL exactly if reducer i is joined with
 * columns, and sets[i] is not if without.
 */
typedef struct SsdparStarData
{
	int			nreducers;
	MemoryContext context;		/* of a private result */
	dsa_area   *area;			/* of a shared one, else NULL */
	SsdparStarResult *result;	/* NULL: nothing is known */
	SsdparKeySet **sets;		/* one a reducer */
	const struct SsdparStarData *lender;	/* whose the sets are; NULL: own */
	const SsdparKeyRows **joined;	/* one a reducer */
	SsdparTidPages *pages;

	/*
	 * For when a private one is made again (repeat.c).  The bitmap lies in
	 * the result's context; NULL if it has not been made.  Not every constant
	 * reducer whose index was read need be in it.
	 */
	bool	   *constant;		/* one a reducer: its keys stay */
	bool	   *in_constant_tids;	/* one a reducer */
	SsdparTidBitmap *constant_tids; /* what these indexes say */
	double		constant_rows;	/* expected to be in it ... */
	double		constant_area;	/* ... on some of so many pages */
	BlockNumber constant_blocks;	/* of the fact when it was made */
} SsdparStarData;

extern Size ssdpar_star_result_size(int nreducers);

/* In the current memory context, without a result. */
extern SsdparStarData *ssdpar_star_data_create(int nreducers);

/* An empty private result, or the one that lies in shared memory. */
extern void ssdpar_star_data_begin_private(SsdparStarData *data);
extern void ssdpar_star_data_begin_shared(SsdparStarData *data,
										  SsdparStarResult *result,
										  dsa_area *area);

/*
 * Memory for a part of the result, which lives as long as that: with its
 * address in the area in *pointer if there is one.  NULL if there is no
 * memory.
 */
extern void *ssdpar_star_data_allocate(SsdparStarData *data, Size size,
									   dsa_pointer *pointer);

/*
 * Of reducers that lender, which is complete, has in this process: what is
 * known of them becomes known in the result, whose maker calls this; the sets
 * are lent when the result is complete, in each process.  The lender must not
 * forget them before.
 */
extern void ssdpar_star_data_borrow(SsdparStarData *data,
									const SsdparStarData *lender);

/* The result is complete: take over what another process may have made. */
extern void ssdpar_star_data_complete(SsdparStarData *data);

/* What one reducer gave, of a private result, is not known any more. */
extern void ssdpar_star_data_forget_reducer(SsdparStarData *data, int n);

/* The same of its pages. */
extern void ssdpar_star_data_forget_pages(SsdparStarData *data);

/* Nothing is known any more.  A shared result is left as it is. */
extern void ssdpar_star_data_forget(SsdparStarData *data);

/* Empty a shared result; no other process may have it in use. */
extern void ssdpar_star_result_reset(SsdparStarResult *result, int nreducers,
									 dsa_area *area);

#endif							/* SSDPAR_STAR_RESULT_H */
