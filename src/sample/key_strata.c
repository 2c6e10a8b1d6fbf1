/*
 * key_strata.c
 *		Which rows of a set have their keys looked up in an index.
 *
 * Where keys follow Zipf's law, a few have most of the rows, and a sample of
 * keys in which each has the same chance misses them more often than not.  But
 * the statistics name them.  So rows of the set whose key is one of the most
 * common values are a stratum apart, of which all are taken (a certainty
 * stratum: Cochran, Sampling Techniques, 1977, chapter 5), and of the others a
 * random sample, each of which stands for several.
 *
 * The rows of a common value are counted in the index all the same: some of
 * them are to be fetched, by random choice, and the statistics are those of
 * the last ANALYZE.  What the statistics decide is which of them can be
 * afforded.  Of those that cannot be, the statistics' number is taken.
 */
#include "postgres.h"

#include "base/compat.h"
#include "sample/common_rows.h"
#include "sample/joined.h"
#include "sample/key_strata.h"

/*
 * Dividing.
 */

/* NULL: the row has another value, or none. */
static SsdparCommonValue *
common_value_of(const SsdparKeyStrata *strata, const SsdparIndexSample *sample,
				SsdparSampleRow *const *members)
{
	SsdparKeyValue value;

	if (!ssdpar_key_of_row(strata->order, sample->key, members, &value))
		return NULL;
	return ssdpar_find_common_value(&strata->common, &value);
}

/*
 * Is the set a sample of a table, of which rows with common values may be
 * missing?
 */
static SsdparSampleTable *
sampled_table(SsdparSampler *sampler, const SsdparSampleJoined *set)
{
	return !set->whole && bms_num_members(set->relids) == 1 ?
		&sampler->tables[set->target] : NULL;
}

/* The rows of the set with other values, and these. */
static void
take_common_rows(SsdparSampler *sampler, const SsdparSampleTable *table,
				 const SsdparSampleJoined *common, SsdparKeyStrata *strata,
				 SsdparIndexSample *sample)
{
	const SsdparSampleJoined *before = sample->set;
	SsdparSampleJoined *set = palloc_object(SsdparSampleJoined);

	*set = *before;
	set->nrows = 0;
	set->members = palloc_array(SsdparSampleRow **,
								before->nrows + common->nrows);
	for (int i = 0; i < before->nrows; i++)
	{
		if (common_value_of(strata, sample, before->members[i]) == NULL)
			set->members[set->nrows++] = before->members[i];
	}
	strata->all = table->passing;
	strata->rest = Max(table->passing - common->nrows, set->nrows);
	strata->certain = true;
	for (int i = 0; i < common->nrows; i++)
	{
		SsdparSampleRow **members =
			palloc0(sizeof(*members) * sampler->ntables);

		members[table->number] = common->members[i][table->number];
		set->members[set->nrows++] = members;
	}
	ssdpar_joined_sort(set, table);
	sample->set = set;
}

void
ssdpar_key_strata_divide(SsdparSampler *sampler, const SsdparSampleJoin *join,
						 SsdparKeyStrata *strata, SsdparIndexSample *sample)
{
	SsdparSampleTable *table = sampled_table(sampler, sample->set);
	SsdparSampleJoined *common = NULL;

	ssdpar_common_values(join->table,
						 join->table->columns[sample->key->inner_column],
						 strata->order, strata->most_rows, &strata->common);
	if (strata->common.nvalues > 0 && table != NULL)
		common = ssdpar_rows_of_common_values(sampler, join->table,
											  sample->key, &strata->common,
											  table, strata->by_index);
	if (common != NULL)
		take_common_rows(sampler, table, common, strata, sample);
}

/*
 * Choosing.
 */

/* Rows that are chosen get true; returns how many. */
static int
choose_common(SsdparSampler *sampler, SsdparKeyStrata *strata,
			  SsdparCommonValue **values, int nrows, int room, bool *chosen)
{
	int		   *order = palloc_array(int, Max(nrows, 1));
	int			common = 0;
	int			count = 0;
	double		pairs = 0;

	for (int i = 0; i < nrows; i++)
	{
		int			other;

		if (values[i] == NULL)
			continue;
		other = pg_prng_uint64_range(&sampler->random, 0, common);
		order[common++] = order[other];
		order[other] = i;
	}
	for (int i = 0; i < common; i++)
	{
		SsdparCommonValue *value = values[order[i]];
		double		more = value->chosen ? 0 : value->rows;

		if (count == room || pairs + more > strata->most_pairs)
		{
			strata->uncounted += value->rows;
			continue;
		}
		pairs += more;
		value->chosen = true;
		chosen[order[i]] = true;
		count++;
	}
	pfree(order);
	return count;
}

/* Of those without a common value each has the same chance. */
static void
choose_rest(SsdparSampler *sampler, SsdparCommonValue *const *values,
			int nrows, int rest, int wanted, bool *chosen)
{
	for (int i = 0; i < nrows && wanted > 0; i++)
	{
		if (values[i] != NULL)
			continue;
		if (pg_prng_double(&sampler->random) < (double) wanted / rest)
		{
			chosen[i] = true;
			wanted--;
		}
		rest--;
	}
}

/* At most half of the rows are of common values, if there are others enough. */
void
ssdpar_key_strata_choose(SsdparSampler *sampler, SsdparKeyStrata *strata,
						 SsdparIndexSample *sample)
{
	const SsdparSampleJoined *set = sample->set;
	int			room = Max(set->nrows, 1);
	SsdparCommonValue **values = palloc_array(SsdparCommonValue *, room);
	bool	   *chosen = palloc0(sizeof(bool) * room);
	int			most = strata->most_rows;
	int			rest = 0;
	int			common;

	for (int i = 0; i < set->nrows; i++)
	{
		values[i] = common_value_of(strata, sample, set->members[i]);
		rest += values[i] == NULL;
	}
	if (strata->all == 0)
	{
		strata->all = set->nrows;
		strata->rest = rest;
		strata->certain = set->whole || strata->common.nvalues == 0;
	}
	common = choose_common(sampler, strata, values, set->nrows,
						   Max(most / 2, most - rest), chosen);
	choose_rest(sampler, values, set->nrows, rest, Min(most - common, rest),
				chosen);
	sample->rows = palloc_array(int, room);
	for (int i = 0; i < set->nrows; i++)
	{
		if (chosen[i])
			sample->rows[sample->nrows++] = i;
	}
	pfree(values);
	pfree(chosen);
}

/*
 * Weighing.
 */

/*
 * What a fair sample of as many rows would have of each stratum, by what is
 * there of it.
 */
bool
ssdpar_key_strata_weigh(const SsdparKeyStrata *strata,
						SsdparIndexSample *sample)
{
	double		fair = sample->nrows / strata->all;
	int			rest = 0;

	for (int i = 0; i < sample->nrows; i++)
		rest += sample->keys[i] == NULL || !sample->keys[i]->common;
	if (sample->nrows == 0 || (rest == 0 && strata->rest > 0))
		return false;
	sample->certain = strata->certain;
	sample->even = strata->rest == strata->all ||
		sample->nrows == strata->all;
	for (int i = 0; i < sample->nkeys; i++)
	{
		SsdparIndexSampleKey *key = &sample->all[i];

		key->weight = sample->even ? 1.0 :
			key->common ? fair : fair * strata->rest / rest;
	}
	sample->uncounted = strata->uncounted * fair;
	return true;
}
