/*
 * leaves.c
 *		The leaf tables of a partitioned fact, and what their bounds imply
 *		for the columns by which dimensions are joined.
 *
 * The executor prunes by these ranges (exec/shared_keys.c), so they must hold
 * for each row of a partition that equals some key.  Bounds imply ranges if
 * they are of a supported kind: the first key column is a plain one of an
 * integer type or one stored as an integer, in its type's default order,
 * partitioned by range or by list, and the partition is not the default one.
 * A leaf satisfies the bounds of all levels above it; those of the lowest
 * level that implies anything are used.
 */
#include "postgres.h"

#include "catalog/pg_opfamily_d.h"
#include "catalog/pg_type_d.h"
#include "partitioning/partbounds.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/newer.h"
#include "keys/key_code.h"
#include "star/star.h"
#include "starscan/plan/leaves.h"
#include "starscan/plan/scannable.h"

/* datetime_ops: dates and timestamps.  The server has no name for it. */
#define DATETIME_BTREE_FAMILY 434

/* For a list with more values, assume all values in between. */
#define MOST_RANGES 16

/* State of the search. */
typedef struct Search
{
	PlannerInfo *root;
	RelOptInfo *fact;
	List	   *dimensions;
	List	   *leaves;			/* SsdparLeafs found so far */
} Search;

AttrNumber
ssdpar_leaf_column(PlannerInfo *root, Index leaf, Index fact,
				   AttrNumber column)
{
	AppendRelInfo *appended;

	if (leaf == fact)
		return column;
	appended = root->append_rel_array[leaf];
	column = ssdpar_leaf_column(root, appended->parent_relid, fact, column);
	return castNode(Var, list_nth(appended->translated_vars,
								  column - 1))->varattno;
}

/* Bounds */

/* Type of parent's first key column, if its bounds are integers. */
static SsdparIntegerType
bounds_type(const RelOptInfo *parent)
{
	PartitionScheme scheme = parent->part_scheme;

	if (scheme == NULL || parent->boundinfo == NULL ||
		(scheme->strategy != PARTITION_STRATEGY_RANGE &&
		 scheme->strategy != PARTITION_STRATEGY_LIST))
		return SSDPAR_NOT_INTEGER;
	if (scheme->partopfamily[0] != INTEGER_BTREE_FAM_OID &&
		scheme->partopfamily[0] != DATETIME_BTREE_FAMILY)
		return SSDPAR_NOT_INTEGER;
	return ssdpar_integer_type(scheme->partopcintype[0]);
}

/*
 * Is the dimension joined by the column that determines the partition of
 * parent?
 */
static bool
is_bounded_column(PlannerInfo *root, const RelOptInfo *fact,
				  const RelOptInfo *parent, const SsdparDimension *dimension)
{
	const Var  *target = linitial_node(Var, dimension->target_vars);
	const Var  *bounded = linitial(parent->partexprs[0]);
	SsdparJoinKey key = {
		.ncolumns = list_length(dimension->target_vars),
		.operators = {linitial_oid(dimension->operators)},
	};

	return key.ncolumns == 1 &&
		ssdpar_key_code_is_of_type(&key, target->vartype) &&
		IsA(bounded, Var) &&
		bounded->vartype == parent->part_scheme->partopcintype[0] &&
		target->vartype == bounded->vartype &&
		bounded->varattno == ssdpar_leaf_column(root, parent->relid,
												fact->relid,
												target->varattno);
}

static void
add_range(SsdparColumnRanges *column, int64 first, int64 last)
{
	SsdparIntegerRange *before = column->nranges > 0 ?
		&column->ranges[column->nranges - 1] : NULL;

	if (before != NULL && (column->nranges == MOST_RANGES ||
						   (first > PG_INT64_MIN &&
							before->last >= first - 1)))
	{
		before->last = Max(before->last, last);
		return;
	}
	if (column->ranges == NULL)
		column->ranges = palloc_array(SsdparIntegerRange, MOST_RANGES);
	column->ranges[column->nranges].first = first;
	column->ranges[column->nranges].last = last;
	column->nranges++;
}

/*
 * Returns bound number i of partitions by range, in the first column: with
 * from, the lowest value above it, else the highest value below it.  If there
 * are more columns, rows with exactly this value may be on either side.
 */
static int64
range_bound(const RelOptInfo *parent, SsdparIntegerType type, int i, bool from)
{
	const		PartitionBoundInfoData *bounds = parent->boundinfo;
	int64		value;

	if (i < 0 || (i < bounds->ndatums &&
				  bounds->kind[i][0] == PARTITION_RANGE_DATUM_MINVALUE))
		return PG_INT64_MIN;
	if (i == bounds->ndatums ||
		bounds->kind[i][0] == PARTITION_RANGE_DATUM_MAXVALUE)
		return PG_INT64_MAX;
	value = ssdpar_integer_value(type, bounds->datums[i][0]);
	return from || parent->part_scheme->partnatts > 1 ||
		value == PG_INT64_MIN ? value : value - 1;
}

/* Ranges of parent's partitions, by number; NULL: nothing is known. */
static SsdparColumnRanges *
partition_ranges(const RelOptInfo *parent)
{
	const		PartitionBoundInfoData *bounds = parent->boundinfo;
	SsdparIntegerType type = bounds_type(parent);
	bool		by_list;
	SsdparColumnRanges *ranges;

	if (type == SSDPAR_NOT_INTEGER)
		return NULL;
	by_list = parent->part_scheme->strategy == PARTITION_STRATEGY_LIST;
	ranges = palloc0(parent->nparts * sizeof(SsdparColumnRanges));
	for (int i = 0; i < bounds->nindexes; i++)
	{
		int			number = bounds->indexes[i];

		if (number < 0 || number == bounds->default_index)
			continue;
		if (by_list)
		{
			int64		value = ssdpar_integer_value(type,
													 bounds->datums[i][0]);

			add_range(&ranges[number], value, value);
		}
		else
			add_range(&ranges[number],
					  range_bound(parent, type, i - 1, true),
					  range_bound(parent, type, i, false));
	}
	return ranges;
}

/* Leaves */

static void add_leaves(Search *search, RelOptInfo *parent,
					   const SsdparLeaf *above);

/* above: what is known about it so far. */
static void
add_part(Search *search, RelOptInfo *part, const SsdparLeaf *above)
{
	SsdparLeaf *leaf;

	if (ssdpar_is_parent(search->root, part))
	{
		add_leaves(search, part, above);
		return;
	}
	leaf = palloc_object(SsdparLeaf);
	*leaf = *above;
	leaf->rel = part;
	leaf->scannable = ssdpar_is_scannable(search->root, part);
	search->leaves = lappend(search->leaves, leaf);
}

/* The dimensions whose column determines the partition of parent. */
static SsdparDimensionSet
bounded_dimensions(const Search *search, const RelOptInfo *parent)
{
	SsdparDimensionSet bounded = 0;
	ListCell   *lc;

	foreach(lc, search->dimensions)
	{
		if (is_bounded_column(search->root, search->fact, parent, lfirst(lc)))
			bounded |= SSDPAR_DIMENSION_BIT(foreach_current_index(lc));
	}
	return bounded;
}

/* The index of part in parent's partitions, which is not less than from. */
static int
part_number(const RelOptInfo *parent, const RelOptInfo *part, int from)
{
	while (from < parent->nparts && parent->part_rels[from] != part)
		from++;
	return from;
}

/* A child by inheritance is not a partition and has no bounds. */
static void
add_leaves(Search *search, RelOptInfo *parent, const SsdparLeaf *above)
{
	List	   *parts = ssdpar_live_partitions(search->root, parent);
	SsdparColumnRanges *ranges = partition_ranges(parent);
	SsdparDimensionSet bounded = ranges != NULL ?
		bounded_dimensions(search, parent) : 0;
	int			number = 0;
	ListCell   *lc;

	check_stack_depth();
	foreach(lc, parts)
	{
		RelOptInfo *part = lfirst(lc);
		const RangeTblEntry *rte = search->root->simple_rte_array[part->relid];
		SsdparLeaf	known = *above;

		if (ssdpar_is_newer_than_snapshot(RELOID, rte->relid))
		{
			memset(&known, 0, sizeof(known));
			add_part(search, part, &known);
			continue;
		}

		/* both are in the order of the bounds */
		if (bounded != 0)
			number = part_number(parent, part, number);
		for (int i = 0; bounded >> i != 0 && number < parent->nparts; i++)
		{
			if ((bounded & SSDPAR_DIMENSION_BIT(i)) != 0 &&
				ranges[number].nranges > 0)
				known.columns[i] = ranges[number];
		}
		add_part(search, part, &known);
	}
}

List *
ssdpar_fact_leaves(PlannerInfo *root, RelOptInfo *fact, List *dimensions)
{
	Search		search = {
		.root = root,
		.fact = fact,
		.dimensions = dimensions,
	};
	SsdparLeaf	nothing = {.rel = NULL};

	add_leaves(&search, fact, &nothing);
	return search.leaves;
}
