/*
 * index_look.c
 *		Samples pages of an index to estimate a property of the whole index.
 *
 * Each index is sampled once per session, and again when its size has changed
 * by a tenth.  Only costs depend on the result.
 *
 * A sample reads a few pages, one after another.  For a thousand partitions
 * that would take longer than the query, so the first partitions represent the
 * rest.
 */
#include "postgres.h"

#include <math.h>

#include "access/genam.h"
#include "catalog/pg_am_d.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/attempt.h"
#include "base/compat.h"
#include "base/notes.h"
#include "btree/btree_meta.h"
#include "cost/index_look.h"

/* More than one session's queries sample; takes about 100 kB. */
#define MOST_REMEMBERED 4096

/* Relative change of size after which an index is sampled again. */
#define GROWN 0.1

/* Constant, so that the same statement gets the same plan. */
#define SEED 42

/* Number of partitions whose similar indexes are sampled. */
#define MOST_SIBLINGS 16

/* Kinds of siblings kept per statement; the oldest is replaced. */
#define MOST_KINDS 16

/* Similar indexes of a table's partitions, with their results. */
typedef struct Siblings
{
	SsdparIndexLook look;
	Oid			parent;			/* the topmost */
	AttrNumber	column;			/* the first; 0: an expression */
	Oid			family;
	int			known;
	Oid			indexes[MOST_SIBLINGS];
	double		found[MOST_SIBLINGS];
} Siblings;

typedef struct Key
{
	SsdparIndexLook look;
	uint64		index;			/* an Oid, but wide enough to avoid padding */
} Key;

typedef struct Remembered
{
	Key			key;			/* hash key */
	BlockNumber pages;			/* when it was sampled */
	double		found;
} Remembered;

typedef struct Question
{
	Oid			index;
	SsdparIndexLook look;
	double		found;
} Question;

static HTAB *remembered = NULL;
static Siblings kinds[MOST_KINDS];	/* of the statement being planned */
static int	nkinds = 0;			/* number that was needed, can exceed
								 * MOST_KINDS */

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

void
ssdpar_index_looks_forget(void)
{
	nkinds = 0;
}

/* The topmost parent of a partition or child; InvalidOid for UNION ALL. */
static Oid
topmost_table(PlannerInfo *root, const RelOptInfo *rel)
{
	Oid			parent = InvalidOid;
	Index		rti = rel->relid;

	while (root->append_rel_array != NULL)
	{
		const AppendRelInfo *child = root->append_rel_array[rti];

		if (child == NULL || !OidIsValid(child->parent_reloid))
			break;
		parent = child->parent_reloid;
		rti = child->parent_relid;
	}
	return parent;
}

/* NULL if the index does not belong to a partition. */
static Siblings *
find_siblings(PlannerInfo *root, const IndexOptInfo *info,
			  SsdparIndexLook look)
{
	Siblings   *kind;
	Oid			parent = topmost_table(root, info->rel);

	if (!OidIsValid(parent))
		return NULL;
	for (int i = 0; i < Min(nkinds, MOST_KINDS); i++)
	{
		kind = &kinds[i];
		if (kind->look == look && kind->parent == parent &&
			kind->column == info->indexkeys[0] &&
			kind->family == info->opfamily[0])
			return kind;
	}
	kind = &kinds[nkinds++ % MOST_KINDS];
	kind->look = look;
	kind->parent = parent;
	kind->column = info->indexkeys[0];
	kind->family = info->opfamily[0];
	kind->known = 0;
	return kind;
}

static double
mean(const double *values, int n)
{
	double		sum = 0.0;

	for (int i = 0; i < n; i++)
		sum += values[i];
	return sum / n;
}

static bool
is_remembered(const IndexOptInfo *info, SsdparIndexLook look, double *found)
{
	Key			key = {look, info->indexoid};
	Remembered *entry = remembered == NULL ? NULL :
		hash_search(remembered, &key, HASH_FIND, NULL);

	if (entry == NULL ||
		fabs((double) info->pages - entry->pages) > GROWN * entry->pages)
		return false;
	*found = entry->found;
	return true;
}

static double
look_now(const IndexOptInfo *info, SsdparIndexLook look, double unreadable)
{
	Question	question = {info->indexoid, look, unreadable};
	Key			key = {look, info->indexoid};
	Remembered *entry;
	SsdparWorkSpan work;

	/* first, as an error must leave no entry */
	ssdpar_note_work_begin(&work);
	if (!ssdpar_attempt(look_at, &question))
		question.found = unreadable;
	ssdpar_note_work_end(&work, SSDPAR_WORK_INDEXES);
	make_memory();
	entry = hash_search(remembered, &key, HASH_ENTER, NULL);
	entry->pages = info->pages;
	entry->found = question.found;
	return entry->found;
}

/* A sampled index keeps its own result for the whole statement. */
static double
look_as_sibling(const IndexOptInfo *info, Siblings *siblings,
				double unreadable)
{
	double		found;
	int			n = siblings->known;

	for (int i = 0; i < n; i++)
		if (siblings->indexes[i] == info->indexoid)
			return siblings->found[i];
	if (n == MOST_SIBLINGS)
		return mean(siblings->found, n);
	if (!is_remembered(info, siblings->look, &found))
		found = look_now(info, siblings->look, unreadable);
	siblings->indexes[n] = info->indexoid;
	siblings->found[n] = found;
	siblings->known++;
	return found;
}

double
ssdpar_index_look(PlannerInfo *root, const IndexOptInfo *info,
				  SsdparIndexLook look, double unreadable)
{
	Siblings   *siblings;
	double		found;

	if (info->relam != BTREE_AM_OID || info->hypothetical)
		return unreadable;
	siblings = find_siblings(root, info, look);
	if (siblings != NULL)
		return look_as_sibling(info, siblings, unreadable);
	if (is_remembered(info, look, &found))
		return found;
	return look_now(info, look, unreadable);
}
