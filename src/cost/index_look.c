/*
 * index_look.c
 *		What some pages of an index tell of all of it.
 *
 * Looked at once in a session, and again when the index has grown or shrunk by
 * a tenth.  It is an estimate: nothing depends on it but costs.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "catalog/pg_am_d.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/attempt.h"
#include "base/compat.h"
#include "btree/btree_meta.h"
#include "cost/index_look.h"

/* More than one session's queries look at.  Some 100 kB. */
#define MOST_REMEMBERED 4096

/* Change of the number of pages after which it is looked at again. */
#define GROWN 0.1

/* Any number: the same statement is to get the same plan. */
#define SEED 42

typedef struct Key
{
	SsdparIndexLook look;
	uint64		index;			/* an Oid; as wide as this, without a gap */
} Key;

typedef struct Remembered
{
	Key			key;			/* hash key */
	BlockNumber pages;			/* when it was looked at */
	double		found;
} Remembered;

typedef struct Question
{
	Oid			index;
	SsdparIndexLook look;
	double		found;
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
	info.keysize = sizeof(Key);
	info.entrysize = sizeof(Remembered);
	info.hcxt = CacheMemoryContext;
	remembered = hash_create("ssdpar looks at indexes", 32, &info,
							 HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
}

/* The planner holds the index's lock. */
static void
look_at(void *arg)
{
	Question   *question = arg;
	Relation	index = index_open(question->index, NoLock);
	pg_prng_state random;

	pg_prng_seed(&random, SEED);
	if (ssdpar_index_readable(index))
		question->found = question->look(index, &random);
	index_close(index, NoLock);
}

double
ssdpar_index_look(const IndexOptInfo *info, SsdparIndexLook look,
				  double unreadable)
{
	Question	question = {info->indexoid, look, unreadable};
	Key			key = {look, info->indexoid};
	Remembered *entry;

	if (info->relam != BTREE_AM_OID || info->hypothetical)
		return unreadable;
	make_memory();
	entry = hash_search(remembered, &key, HASH_FIND, NULL);
	if (entry != NULL &&
		fabs((double) info->pages - entry->pages) <= GROWN * entry->pages)
		return entry->found;

	/* first, as an error must leave no entry */
	if (!ssdpar_attempt(look_at, &question))
		question.found = unreadable;
	entry = hash_search(remembered, &key, HASH_ENTER, NULL);
	entry->pages = info->pages;
	entry->found = question.found;
	return entry->found;
}
