/*
 * measure.c
 *		Asks the data how many rows a query's tables and joins have.
 *
 * The sequence: which tables may be asked (access.c); a sample of each, the
 * small ones whole (table_sample.c); joins of samples (join_sets.c); the same
 * again with larger samples, as long as there is time; what was found goes to
 * rowcount/.  Everything that this needs lives in one memory
 * context, and what an error leaves open is closed by attempt.c.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "executor/executor.h"
#include "optimizer/optimizer.h"
#include "optimizer/restrictinfo.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "rowcount/known_rows.h"
#include "star/access.h"
#include "sample/attempt.h"
#include "sample/filter_sample.h"
#include "sample/filters.h"
#include "sample/join_sets.h"
#include "sample/measure.h"
#include "sample/sampler.h"
#include "sample/table_sample.h"
#include "sample/work_price.h"

/* Pages of a table, in the rounds after the first. */
#define EFFORT_FACTOR 4
#define LAST_EFFORT 1024

/* Tables are sampled in so many groups. */
#define TURNS 4

/* As a share of the largest table: large, too. */
#define LARGE_SHARE 0.5

/* Is the column needed above the scan, not for output alone? */
static bool
is_joined(const RelOptInfo *rel, int column)
{
	Relids		needed = rel->attr_needed[column - rel->min_attr];
	int			relid = 0;

	while ((relid = bms_next_member(needed, relid)) >= 0)
	{
		if (relid != (int) rel->relid)
			return true;
	}
	return false;
}

static void
choose_columns(SsdparSampleTable *table)
{
	RelOptInfo *rel = table->rel;

	table->columns = palloc_array(AttrNumber, rel->max_attr + 1);
	for (int column = 1; column <= rel->max_attr; column++)
	{
		if (is_joined(rel, column) || ssdpar_filter_column(rel, column))
			table->columns[table->ncolumns++] = column;
	}
}

static void
open_table(SsdparSampler *sampler, RelOptInfo *rel)
{
	SsdparSampleTable *table = ssdpar_sampler_add_table(sampler, rel);

	choose_columns(table);
	ssdpar_sample_prepare_filter(sampler, table);
	table->row_seconds =
		ssdpar_work_cpu_seconds(table->filter == NULL ? cpu_tuple_cost :
								SSDPAR_WORK_ROW +
								rel->baserestrictcost.per_tuple);
}

static void
open_tables(SsdparSampler *sampler, List *rels)
{
	ListCell   *lc;

	foreach(lc, rels)
	{
		RelOptInfo *rel = lfirst(lc);

		if (sampler->ntables < SSDPAR_SAMPLE_TABLES &&
			ssdpar_sample_allowed(sampler->root, rel))
			open_table(sampler, rel);
	}
}

/* A row with the columns of all tables side by side. */
static void
make_joined_slot(SsdparSampler *sampler)
{
	int			ncolumns = 0;
	TupleDesc	row;

	for (int i = 0; i < sampler->ntables; i++)
	{
		sampler->tables[i].first = ncolumns;
		ncolumns += sampler->tables[i].ncolumns;
	}
	row = CreateTemplateTupleDesc(ncolumns);
	for (int i = 0; i < sampler->ntables; i++)
	{
		SsdparSampleTable *table = &sampler->tables[i];

		for (int k = 0; k < table->ncolumns; k++)
			TupleDescCopyEntry(row, table->first + k + 1,
							   RelationGetDescr(table->heap),
							   table->columns[k]);
	}
	sampler->joined = MakeSingleTupleTableSlot(row, &TTSOpsVirtual);
}

/* Joins begin with the rows of the largest tables. */
static int
compare_pages(const void *a, const void *b)
{
	const SsdparSampleTable *one = a;
	const SsdparSampleTable *other = b;

	if (one->rel->pages != other->rel->pages)
		return one->rel->pages < other->rel->pages ? 1 : -1;
	return (int) one->rel->relid - (int) other->rel->relid;
}

/* The inner side of a semi or anti join: no sample begins with its rows. */
static bool
is_asked_only(const PlannerInfo *root, const RelOptInfo *rel)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst(lc);

		if ((join->jointype == JOIN_SEMI || join->jointype == JOIN_ANTI) &&
			bms_equal(join->syn_righthand, rel->relids))
			return true;
	}
	return false;
}

static void
sort_tables(SsdparSampler *sampler)
{
	qsort(sampler->tables, sampler->ntables, sizeof(SsdparSampleTable),
		  compare_pages);
	for (int i = 0; i < sampler->ntables; i++)
	{
		SsdparSampleTable *table = &sampler->tables[i];

		table->number = i;
		table->asked_only = is_asked_only(sampler->root, table->rel);
		table->large = !table->asked_only && table->rel->pages >=
			sampler->tables[0].rel->pages * LARGE_SHARE;
	}
}

/* Of these core multiplies the shares, as if columns knew nothing of others. */
static bool
filters_several_columns(const RelOptInfo *rel)
{
	Bitmapset  *columns = NULL;

	pull_varattnos((Node *) extract_actual_clauses(rel->baserestrictinfo,
												   false),
				   rel->relid, &columns);
	return bms_membership(columns) == BMS_MULTIPLE;
}

/*
 * What could change the plan most comes first: how many rows pass a filter, of
 * tables that are small beside others, one on several columns before others;
 * then the large tables, whose rows joins begin with.  Of one that is asked for
 * a partner only, its own rows matter least.  Not worth the first round are
 * those of such a table without a filter, and of a table without one that is
 * joined with one other: it is likely to have a partner for each row of that.
 */
static int
turn_of(SsdparSampler *sampler, const SsdparSampleTable *table)
{
	bool		filtered = table->rel->baserestrictinfo != NIL;

	if (table->large)
		return 2;
	if (filtered && !table->asked_only)
		return filters_several_columns(table->rel) ? 0 : 1;
	return filtered || sampler->effort > SSDPAR_SAMPLE_FIRST_EFFORT ||
		(!table->asked_only && ssdpar_sample_neighbours(sampler, table) > 1) ?
		3 : TURNS;
}

static void
sample_tables(SsdparSampler *sampler)
{
	for (int turn = 0; turn < TURNS; turn++)
	{
		for (int i = 0; i < sampler->ntables; i++)
		{
			SsdparSampleTable *table = &sampler->tables[i];

			if (turn_of(sampler, table) != turn)
				continue;
			if (ssdpar_sample_tables_are_over(&sampler->budget))
				return;
			ssdpar_sample_table(sampler, table);
			ssdpar_sample_by_filter(sampler, table);
		}
	}
}

/*
 * Each round asks for several times as much as the one before, so that whenever
 * the budget ends, much the larger part of it has gone into the best numbers
 * there are.
 */
static void
measure_in_rounds(SsdparSampler *sampler)
{
	sampler->effort = SSDPAR_SAMPLE_FIRST_EFFORT;
	while (sampler->effort <= LAST_EFFORT &&
		   !ssdpar_sample_is_over(&sampler->budget))
	{
		sample_tables(sampler);
		ssdpar_sample_sets(sampler);
		sampler->effort *= EFFORT_FACTOR;
	}
}

/*
 * Whatever rows are joined with none of these relations' there are none: no
 * outer or anti join can bring forth rows where theirs are missing.
 */
static bool
empties_joins(const PlannerInfo *root, Relids relids)
{
	ListCell   *lc;

	foreach(lc, root->join_info_list)
	{
		const SpecialJoinInfo *join = lfirst(lc);

		if (join->jointype == JOIN_SEMI)
			continue;
		if (bms_overlap(relids, join->syn_righthand) ||
			(join->jointype == JOIN_FULL &&
			 bms_overlap(relids, join->syn_lefthand)))
			return false;
	}
	return true;
}

/*
 * A join with one that is known to have no row has none either, also where it
 * was sampled before that was known, or the time was up then.
 */
static void
spread_emptiness(SsdparSampler *sampler)
{
	ListCell   *lc;
	ListCell   *other;

	foreach(lc, sampler->sets)
	{
		const SsdparSampleJoined *empty = lfirst(lc);

		if (!empty->exact || empty->rows > 0.0 ||
			!empties_joins(sampler->root, empty->relids))
			continue;
		foreach(other, sampler->sets)
		{
			SsdparSampleJoined *set = lfirst(other);

			if (set->exact || !bms_is_subset(empty->relids, set->relids))
				continue;
			set->rows = set->found = 0.0;
			set->exact = true;
			set->share = set->share < 0.0 ? set->share : 0.0;
		}
	}
}

/* What the others of a join's tables leave of one. */
static void
keep_share(SsdparSampler *sampler, const SsdparSampleJoined *set, int target,
		   double left)
{
	const SsdparSampleTable *table = &sampler->tables[target];
	SsdparKnownShare share = {
		.target = table->rel->relid,
		.dimensions = bms_del_member(bms_copy(set->relids),
									 table->rel->relid),
		.share = Min(left, 1.0),
		.found = set->found,
		.exact = set->exact && (table->complete || set->rows == 0.0),
	};

	if (left >= 0.0 && !bms_is_empty(share.dimensions))
		ssdpar_know_share(sampler->root, &share);
}

/* Those of a set's tables with filters that were not evaluated. */
static Relids
guessed_tables(const SsdparSampler *sampler, const SsdparSampleJoined *set)
{
	Relids		guessed = NULL;

	for (int i = 0; i < sampler->ntables; i++)
	{
		const SsdparSampleTable *table = &sampler->tables[i];

		if (table->unseen < 1.0 &&
			bms_is_member(table->rel->relid, set->relids))
			guessed = bms_add_member(guessed, table->rel->relid);
	}
	return guessed;
}

/* What is kept outlives the samples. */
static void
keep_set(SsdparSampler *sampler, const SsdparSampleJoined *set)
{
	SsdparKnownRows rows = {
		.relids = set->relids,
		.rows = set->rows,
		.found = set->found,
		.exact = set->exact,
		.guessed = guessed_tables(sampler, set),
		.assumed = -1.0,
	};
	MemoryContext before = MemoryContextSwitchTo(sampler->outer);

	ssdpar_know_rows(sampler->root, &rows);
	keep_share(sampler, set, set->target, set->share);
	keep_share(sampler, set, set->partner, set->partner_share);
	MemoryContextSwitchTo(before);
}

static void
keep_all(SsdparSampler *sampler, SsdparMeasured *measured)
{
	ListCell   *lc;

	spread_emptiness(sampler);
	foreach(lc, sampler->sets)
	{
		const SsdparSampleJoined *set = lfirst(lc);

		keep_set(sampler, set);
		if (bms_num_members(set->relids) == 1)
			measured->tables++;
		else
			measured->joins++;
	}
	measured->keys = sampler->keys;
	measured->pages = sampler->pages;
	measured->distinct = sampler->distinct;
}

/* What is asked, and what came of it. */
typedef struct Question
{
	List	   *rels;
	SsdparMeasured *measured;
} Question;

/* An SsdparAsk. */
static void
measure(SsdparSampler *sampler, void *arg)
{
	Question   *question = arg;

	open_tables(sampler, question->rels);
	if (sampler->ntables > 0)
	{
		sort_tables(sampler);
		make_joined_slot(sampler);
		measure_in_rounds(sampler);
		keep_all(sampler, question->measured);
	}
}

bool
ssdpar_measure_rows(PlannerInfo *root, List *initial_rels,
					double budget_seconds, SsdparMeasured *measured)
{
	Question	question = {initial_rels, measured};

	memset(measured, 0, sizeof(SsdparMeasured));
	return ssdpar_sample_possible(root) &&
		ssdpar_sample_attempt(root, budget_seconds, measure, &question,
							  measured) &&
		measured->tables > 0;
}
