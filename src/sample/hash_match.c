/*
 * hash_match.c
 *		The rows of a table in hand that match a joined row.
 *
 * Hashed by the functions that the equality operators' own hash joins use, and
 * compared by the operators, so that types, collations and NULLs count as they
 * do in the query.
 */
#include "postgres.h"

#include "common/hashfn.h"
#include "miscadmin.h"
#include "port/pg_bitutils.h"

#include "base/compat.h"
#include "sample/hash_match.h"
#include "sample/work_price.h"

/* Rows between two looks at what has been spent. */
#define ROWS_A_LOOK 128

/* Chains: heads by hash, then from row to row; -1 ends each. */
struct SsdparSampleHash
{
	List	   *columns;		/* that are hashed, in order */
	List	   *functions;		/* by which */
	uint32		mask;
	int		   *heads;
	int		   *next;
	uint32	   *hashes;			/* of each row */
};

/* False if a key is NULL: no row equals it. */
static bool
hash_inner(const SsdparSampleJoin *join, const SsdparSampleRow *row,
		   uint32 *hash)
{
	ListCell   *lc;

	*hash = 0;
	foreach(lc, join->keys)
	{
		SsdparSampleKey *key = lfirst(lc);
		Datum		value = row->values[key->inner_column];

		if (row->nulls[key->inner_column])
			return false;
		*hash = hash_combine(*hash,
							 DatumGetUInt32(FunctionCall1Coll(&key->inner_hash,
															  key->collation,
															  value)));
	}
	return true;
}

static bool
hash_outer(const SsdparSampleJoin *join, SsdparSampleRow *const *members,
		   uint32 *hash)
{
	ListCell   *lc;

	*hash = 0;
	foreach(lc, join->keys)
	{
		SsdparSampleKey *key = lfirst(lc);
		const SsdparSampleRow *row = members[key->outer];
		Datum		value;

		if (row == NULL || row->nulls[key->outer_column])
			return false;
		value = row->values[key->outer_column];
		*hash = hash_combine(*hash,
							 DatumGetUInt32(FunctionCall1Coll(&key->outer_hash,
															  key->collation,
															  value)));
	}
	return true;
}

static SsdparSampleHash *
find_hash(const SsdparSampleJoin *join, List *columns, List *functions)
{
	ListCell   *lc;

	foreach(lc, join->table->hashes)
	{
		SsdparSampleHash *hash = lfirst(lc);

		if (equal(hash->columns, columns) && equal(hash->functions, functions))
			return hash;
	}
	return NULL;
}

bool
ssdpar_sample_match_is_over(SsdparSampler *sampler, uint64 *rows)
{
	CHECK_FOR_INTERRUPTS();
	if (++*rows % ROWS_A_LOOK != 0)
		return false;
	ssdpar_sample_worked(&sampler->budget,
						 ssdpar_work_cpu_seconds(ROWS_A_LOOK *
												 SSDPAR_WORK_MATCH));
	return ssdpar_sample_is_over(&sampler->budget);
}

/* False if the time is up. */
static bool
fill(SsdparSampler *sampler, SsdparSampleHash *hash,
	 const SsdparSampleJoin *join)
{
	SsdparSampleTable *table = join->table;
	uint64		rows = 0;

	for (int i = 0; i < table->nrows; i++)
	{
		uint32		slot;

		if (ssdpar_sample_match_is_over(sampler, &rows))
			return false;
		if (!hash_inner(join, table->rows[i], &hash->hashes[i]))
			continue;
		slot = hash->hashes[i] & hash->mask;
		hash->next[i] = hash->heads[slot];
		hash->heads[slot] = i;
	}
	return true;
}

SsdparSampleHash *
ssdpar_sample_hash(SsdparSampler *sampler, const SsdparSampleJoin *join)
{
	SsdparSampleTable *table = join->table;
	List	   *columns = NIL;
	List	   *functions = NIL;
	SsdparSampleHash *hash;
	uint32		slots;
	ListCell   *lc;

	foreach(lc, join->keys)
	{
		SsdparSampleKey *key = lfirst(lc);

		columns = lappend_int(columns, key->inner_column);
		functions = lappend_oid(functions, key->inner_hash.fn_oid);
		functions = lappend_oid(functions, key->collation);
	}
	hash = find_hash(join, columns, functions);
	if (hash != NULL)
		return hash;
	slots = pg_nextpower2_32(Max(table->nrows, 1) * 2);
	hash = palloc_object(SsdparSampleHash);
	hash->columns = columns;
	hash->functions = functions;
	hash->mask = slots - 1;
	hash->heads = palloc_array(int, slots);
	memset(hash->heads, -1, slots * sizeof(int));
	hash->next = palloc_array(int, Max(table->nrows, 1));
	hash->hashes = palloc0(sizeof(uint32) * Max(table->nrows, 1));
	if (!fill(sampler, hash, join))
		return NULL;
	table->hashes = lappend(table->hashes, hash);
	return hash;
}

SsdparSampleRow *
ssdpar_sample_next_match(SsdparSampleMatches *matches, uint64 *rows)
{
	const SsdparSampleHash *hash = matches->hash;
	uint32		wanted;
	int			i;

	if (!hash_outer(matches->join, matches->members, &wanted))
		return NULL;
	i = matches->position < 0 ? hash->heads[wanted & hash->mask] :
		hash->next[matches->position];
	for (; i >= 0; i = hash->next[i])
	{
		SsdparSampleRow *row = matches->join->table->rows[i];

		if (hash->hashes[i] != wanted)
			continue;
		matches->is_over = ssdpar_sample_match_is_over(matches->sampler, rows);
		if (matches->is_over)
			return NULL;
		if (ssdpar_sample_keys_equal(matches->join, matches->members, row))
		{
			matches->position = i;
			return row;
		}
	}
	return NULL;
}
