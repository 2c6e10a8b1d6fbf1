/*
 * leaf_order.c
 *		How far the leaves of an index lie in the order in which they are read.
 *
 * Looked at once in a session, and again when the index has grown or shrunk by
 * a tenth.  It is an estimate: nothing depends on it but costs.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "catalog/pg_am_d.h"
#include "common/pg_prng.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/attempt.h"
#include "btree/btree_meta.h"
#include "btree/btree_order.h"
#include "cost/leaf_order.h"

/* More indexes than one session's queries look at.  Some 100 kB. */
#define MOST_REMEMBERED 4096

/* Change of the number of pages after which it is looked at again. */
#define GROWN 0.1

/* Any number: the same statement is to get the same plan. */
#define SEED 42

typedef struct Remembered
{
	Oid			index;			/* hash key */
	BlockNumber pages;			/* when it was looked at */
	double		order;
} Remembered;

typedef struct Question
{
	Oid			index;
	double		order;
} Question;

static HTAB *remembered = NULL;

static void
make_memory(void)
{
	HASHCTL		info = {0};

	if (remembered != NULL &&
		hash_get_num_entries(remembered) >= MOST_REMEMBERED)
	{
		hash_destroy(remembered);
		remembered = NULL;
	}
	if (remembered != NULL)
		return;
	info.keysize = sizeof(Oid);
	info.entrysize = sizeof(Remembered);
	info.hcxt = CacheMemoryContext;
	remembered = hash_create("ssdpar leaf order", 32, &info,
							 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* The planner holds the index's lock. */
static void
look(void *arg)
{
	Question   *question = arg;
	Relation	index = index_open(question->index, NoLock);
	pg_prng_state random;

	pg_prng_seed(&random, SEED);
	if (ssdpar_index_readable(index))
		question->order = ssdpar_index_leaf_order(index, &random);
	index_close(index, NoLock);
}

double
ssdpar_leaf_order(const IndexOptInfo *info)
{
	Question	question = {info->indexoid, 0.0};
	Remembered *entry;

	if (info->relam != BTREE_AM_OID || info->hypothetical)
		return 0.0;
	make_memory();
	entry = hash_search(remembered, &info->indexoid, HASH_FIND, NULL);
	if (entry != NULL &&
		fabs((double) info->pages - entry->pages) <= GROWN * entry->pages)
		return entry->order;

	/* first, as an error must leave no entry; unreadable, it is not in order */
	if (!ssdpar_attempt(look, &question))
		question.order = 0.0;
	entry = hash_search(remembered, &info->indexoid, HASH_ENTER, NULL);
	entry->pages = info->pages;
	entry->order = question.order;
	return entry->order;
}
