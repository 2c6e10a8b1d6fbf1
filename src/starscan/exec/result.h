/*
 * result.h
 *		What a star scan has to know before it reads a row of the fact: the
 *		reducers' key sets and, for a bitmap, the pages.
 *
 * The result contains no pointers and is written by one process.  If processes
 * share it, it is in the query's shared memory, and SsdparStarData holds the
 * process-local addresses of its parts.  After the result is complete no
 * process writes to it, so all of them read it without a lock.
 *
 * Only result.c distinguishes private and shared results.  Code that fills a
 * result allocates memory through ssdpar_star_data_allocate().
 */
#ifndef SSDPAR_STAR_RESULT_H
#define SSDPAR_STAR_RESULT_H

#include "portability/instr_time.h"
#include "utils/dsa.h"

#include "keys/key_rows.h"
#include "keys/key_set.h"
#include "tids/tid_pages.h"

/* Result of one reducer.  */
typedef struct SsdparReducerResult
{
	bool		known;			/* the child has been read */
	uint64		rows;			/* of the child, after its own reducers */
	uint64		keys;			/* distinct keys; for a Bloom filter, those
								 * added */
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
	bool		bitmap;			/* read only the pages of the bitmap */
	bool		too_many_pages; /* too many pages for the bitmap */
	int			key_readers;	/* processes that read a dimension */
	int			index_readers;	/* processes that read an index */
	dsa_pointer pages;			/* of the SsdparTidPages, if shared */
	uint32		exact_pages;
	uint32		lossy_pages;
	instr_time	keys_time;
	instr_time	bitmap_time;
	uint64		fact_asked;		/* pages requested while collecting keys */
	uint64		dimensions_asked;	/* the same, of later dimensions */
	SsdparReducerResult reducers[FLEXIBLE_ARRAY_MEMBER];
} SsdparStarResult;

/*
 * Invariant: without a result, all sets are NULL, pages and constant_tids are
 * NULL, and the context is empty.
 *
 * With a complete result, sets[i] is NULL exactly if its kind is none, except
 * for sets that this process borrowed or read itself because shared memory was
 * full. pages is not NULL exactly if there is a bitmap.  Once this process has
 * all it needs (prepare.c), joined[i] is not NULL exactly if reducer i is
 * joined with columns, and sets[i] is not NULL if it is joined without.
 */
typedef struct SsdparStarData
{
	int			nreducers;
	MemoryContext context;		/* of a private result */
	dsa_area   *area;			/* of a shared one, else NULL */
	SsdparStarResult *result;	/* NULL: nothing is known */
	SsdparKeySet **sets;		/* one for each reducer */
	const struct SsdparStarData *lender;	/* owner of the sets; NULL: this */
	const SsdparKeyRows **joined;	/* one for each reducer */
	SsdparTidPages *pages;

	/*
	 * For repeated runs of a private result (repeat.c).  constant_tids is
	 * allocated in the result's context; it is NULL if it has not been built.
	 * It need not include all constant reducers whose index was read.
	 */
	bool	   *constant;		/* for each reducer: its keys stay valid */
	bool	   *in_constant_tids;	/* one for each reducer */
	SsdparTidBitmap *constant_tids; /* bitmap of these reducers' indexes */
	double		constant_rows;	/* rows expected in it ... */
	double		constant_area;	/* ... on some of this many pages */
	BlockNumber constant_blocks;	/* size of the fact when it was built */
} SsdparStarData;

extern Size ssdpar_star_result_size(int nreducers);

/* Creates data without a result in the current memory context.  */
extern SsdparStarData *ssdpar_star_data_create(int nreducers);

/* Starts an empty private result, or uses the result in shared memory.  */
extern void ssdpar_star_data_begin_private(SsdparStarData *data);
extern void ssdpar_star_data_begin_shared(SsdparStarData *data,
										  SsdparStarResult *result,
										  dsa_area *area);

/*
 * Allocates memory for a part of the result, with the same lifetime.  If the
 * result is shared, sets *pointer to the address in the area.  Returns NULL if
 * there is no memory.
 */
extern void *ssdpar_star_data_allocate(SsdparStarData *data, Size size,
									   dsa_pointer *pointer);

/*
 * Copies what is known about lender's reducers into the result; called by the
 * result's maker.  lender must be complete in this process.  Each process
 * borrows the sets when the result is complete.  The lender must keep them
 * until then and while they are used.
 */
extern void ssdpar_star_data_borrow(SsdparStarData *data,
									const SsdparStarData *lender);

/*
 * Completes data: takes the addresses of parts that another process may have
 * made.
 */
extern void ssdpar_star_data_complete(SsdparStarData *data);

/* Forgets one reducer of a private result.  */
extern void ssdpar_star_data_forget_reducer(SsdparStarData *data, int n);

/* Forgets the pages of a private result.  */
extern void ssdpar_star_data_forget_pages(SsdparStarData *data);

/* Forgets everything.  A shared result is not changed.  */
extern void ssdpar_star_data_forget(SsdparStarData *data);

/* Empties a shared result, which no other process may be using.  */
extern void ssdpar_star_result_reset(SsdparStarResult *result, int nreducers,
									 dsa_area *area);

#endif							/* SSDPAR_STAR_RESULT_H */
