/*
 * keys_param.c
 *		Passes the keys of a dimension as parameters, and builds conditions on
 *		them.
 *
 * The parameters belong to an InitPlan, like the one that core makes for a
 * subselect without outer references.  It runs once, when the first foreign
 * scan reads a parameter, and again if a parameter it depends on has changed.
 * Its plan is the custom scan SsdparShardKeys (shards/exec/node.c), which
 * reads the dimension as a star scan does.
 *
 * Only execution determines which of the parameters are set:
 *
 *		list	all keys, or NULL if there were too many
 *		range	the least and the greatest key if there is no list, or
 *				NULL if there is one or memory was too small even for
 *				the keys.  The least key is NULL if it is negative
 *		filter	set if there is no list, and the filter is small enough
 *
 * So the conditions have the form "parameter IS NULL OR ...".  The remote
 * server plans with the values, so this form costs it nothing.  The filter is
 * for servers that have its function; if none has, there is no such parameter.
 *
 * Types: the type in the remote table may differ from the one that the foreign
 * table declares.  We support integers only, because any remote value that
 * this server can read as an integer is compared remotely as the same number.
 * In contrast, a date may be a timestamp there, and a text may have trailing
 * blanks or another collation, so the remote comparison could fail although
 * the local one succeeds.  A remote oid is compared as an oid, so a negative
 * number would count as a large one; therefore a negative least key is not
 * sent, and no remote row equals the other negative keys.  Keys are sent in
 * the column's own type, so we omit those beyond its range, which cannot equal
 * any value.
 */
#include "postgres.h"

#include "access/stratnum.h"
#include "catalog/pg_type_d.h"
#include "nodes/extensible.h"
#include "nodes/makefuncs.h"
#include "optimizer/cost.h"
#include "optimizer/subselect.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/typcache.h"

#include "custom_scan/names.h"
#include "keys/key_code.h"
#include "shards/exec/node.h"
#include "shards/plan/key_filter_function.h"
#include "shards/plan/keys_param.h"
#include "starscan/plan/leaves.h"
#include "starscan/plan/path.h"
#include "starscan/plan/reducers.h"

static const CustomScanMethods scan_methods = {
	.CustomName = SSDPAR_SHARD_KEYS,
	.CreateCustomScanState = ssdpar_create_shard_keys_state,
};

void
ssdpar_register_shard_keys(void)
{
	RegisterCustomScanMethods(&scan_methods);
}

static SsdparReducer *
own_reducer(const SsdparShardKeys *keys)
{
	return &keys->estimate.reducers[keys->estimate.nreducers - 1];
}

bool
ssdpar_shard_keys_of(PlannerInfo *root, RelOptInfo *fact,
					 const SsdparDimension *dimension, SsdparShardKeys *keys)
{
	SsdparStarTable table = {.root = root, .fact = fact, .rel = fact};

	memset(keys, 0, sizeof(SsdparShardKeys));
	keys->dimension = dimension;
	keys->type = linitial_node(Var, dimension->target_vars)->vartype;
	if (list_length(dimension->target_vars) != 1 ||
		(keys->type != INT2OID && keys->type != INT4OID &&
		 keys->type != INT8OID))
		return false;
	keys->estimate.dimension = dimension;
	return ssdpar_make_reducers(&table, false, &keys->estimate) &&
		ssdpar_key_code_is_of_type(&own_reducer(keys)->key, keys->type);
}

/*
 * The InitPlan.
 */

/* The output columns.  They are not evaluated; only their types matter. */
static List *
output_columns(const SsdparShardKeys *keys)
{
	Var		   *key = linitial(keys->dimension->key_vars);
	List	   *columns = NIL;

	for (int i = 1; i <= 2; i++)
	{
		ArrayExpr  *array = makeNode(ArrayExpr);

		array->array_typeid = get_array_type(keys->type);
		array->element_typeid = keys->type;
		for (int j = 0; j < i; j++)
			array->elements = lappend(array->elements, copyObject(key));
		array->location = -1;
		columns = lappend(columns,
						  makeTargetEntry((Expr *) array, i,
										  i == 1 ? "keys" : "range", false));
	}
	return columns;
}

/* An expression that has the filter's type. */
static Expr *
filter_column(const SsdparShardKeys *keys)
{
	TargetEntry *first = linitial_node(TargetEntry, output_columns(keys));

	return (Expr *) makeFuncExpr(F_ARRAY_SEND, BYTEAOID,
								 list_make1(first->expr), InvalidOid,
								 InvalidOid, COERCE_EXPLICIT_CALL);
}

static Plan *
make_plan(PlannerInfo *root, RelOptInfo *fact, const SsdparShardKeys *keys,
		  int nshards, int most)
{
	CustomScan *scan = makeNode(CustomScan);
	Plan	   *plan = &scan->scan.plan;
	SsdparStarPlan star = {
		.access = SSDPAR_STAR_SEQUENTIAL,
		.fact = fact->relid,
		.reducers = keys->estimate.reducers,
		.nreducers = keys->estimate.nreducers,
	};
	ListCell   *lc;

	own_reducer(keys)->keys_wanted = true;
	scan->methods = &scan_methods;
	scan->custom_scan_tlist =
		lappend(output_columns(keys),
				makeTargetEntry(filter_column(keys), 3, "filter", false));
	plan->targetlist = copyObject(scan->custom_scan_tlist);
	plan->plan_rows = 1;
	plan->plan_width = (int) Min(keys->dimension->keys *
								 get_typlen(keys->type), INT_MAX);
	foreach(lc, keys->estimate.children)
		plan->startup_cost += ((Path *) lfirst(lc))->total_cost;
	plan->total_cost = plan->startup_cost;
	scan->custom_plans = ssdpar_plan_children(root, keys->estimate.children);
	scan->custom_private = list_make2(ssdpar_star_plan_to_list(&star),
									  list_make4_int((int) keys->type, most,
													 nshards,
													 keys->filtered));
	scan->custom_relids = bms_copy(keys->dimension->rel->relids);
	return plan;
}

/* Does the InitPlan read this relation, or refer to it? */
static bool
is_wanted(PlannerInfo *root, Index rti, Relids wanted)
{
	RelOptInfo *rel = root->simple_rel_array[rti];

	return bms_is_member(rti, wanted) ||
		(rel != NULL && bms_overlap(rel->top_parent_relids, wanted));
}

/* Copies an array of n pointers. */
static void *
copy_array(const void *array, int n)
{
	Size		size = n * sizeof(void *);

	return memcpy(palloc(size), array, size);
}

/*
 * Makes the query level of the InitPlan.  Core concatenates the range tables
 * of all levels and renumbers the relations, so this level needs its own range
 * table, in which relations have the same numbers as in the query.  Entries
 * that the InitPlan does not use are placeholders, because a fact may have a
 * thousand partitions.
 *
 * The arrays of relations are copied too, because those of the query level may
 * move when relations are added to it (star/array_keys.c).
 */
static PlannerInfo *
make_level(PlannerInfo *root, RelOptInfo *fact, const SsdparShardKeys *keys)
{
	PlannerInfo *level = makeNode(PlannerInfo);
	Query	   *query = makeNode(Query);
	RangeTblEntry *place = makeNode(RangeTblEntry);
	ListCell   *lc;

	place->rtekind = RTE_RESULT;
	place->eref = makeAlias("unused", NIL);
	*query = *root->parse;
	query->rtable = NIL;
	foreach(lc, root->parse->rtable)
	{
		Index		rti = foreach_current_index(lc) + 1;

		query->rtable =
			lappend(query->rtable, bms_is_member(rti, fact->relids) ||
					is_wanted(root, rti, keys->dimension->relids) ?
					lfirst(lc) : place);
	}
	*level = *root;
	level->parse = query;
	level->simple_rel_array = copy_array(root->simple_rel_array,
										 root->simple_rel_array_size);
	level->simple_rte_array = copy_array(root->simple_rte_array,
										 root->simple_rel_array_size);
	level->append_rel_array = NULL;
	level->append_rel_list = NIL;
	foreach(lc, root->append_rel_list)
	{
		AppendRelInfo *appended = lfirst(lc);

		if (is_wanted(root, appended->child_relid, keys->dimension->relids))
			level->append_rel_list = lappend(level->append_rel_list,
											 copyObject(appended));
	}
	level->query_level++;
	level->parent_root = root;
	level->plan_params = NIL;
	level->init_plans = NIL;
	level->outer_params = NULL;
	SS_identify_outer_params(level);
	return level;
}

void
ssdpar_plan_shard_keys(PlannerInfo *root, RelOptInfo *fact,
					   SsdparShardKeys *keys, int nshards, int most)
{
	Oid			array = get_array_type(keys->type);
	Plan	   *plan = make_plan(root, fact, keys, nshards, most);
	SubPlan    *init_plan;

	keys->list = SS_make_initplan_output_param(root, array, -1, InvalidOid);
	keys->range = SS_make_initplan_output_param(root, array, -1, InvalidOid);
	SS_make_initplan_from_plan(root, make_level(root, fact, keys), plan,
							   keys->list);
	init_plan = llast_node(SubPlan, root->init_plans);
	init_plan->setParam = lappend_int(init_plan->setParam,
									  keys->range->paramid);
	if (!keys->filtered)
		return;
	keys->filter = SS_make_initplan_output_param(root, BYTEAOID, -1,
												 InvalidOid);
	init_plan->setParam = lappend_int(init_plan->setParam,
									  keys->filter->paramid);
}

/*
 * The conditions.
 */

static Expr *
is_null(const Expr *expr)
{
	NullTest   *test = makeNode(NullTest);

	test->arg = (Expr *) copyObject(expr);
	test->nulltesttype = IS_NULL;
	test->argisrow = false;
	test->location = -1;
	return (Expr *) test;
}

static Expr *
unless_null(const Expr *expr, Expr *condition)
{
	return make_orclause(list_make2(is_null(expr), condition));
}

static Oid
comparison(Oid type, StrategyNumber strategy)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_BTREE_OPFAMILY);

	return get_opfamily_member(entry->btree_opf, entry->btree_opintype,
							   entry->btree_opintype, strategy);
}

static Expr *
is_in_list(Var *column, const SsdparShardKeys *keys)
{
	ScalarArrayOpExpr *any = makeNode(ScalarArrayOpExpr);

	any->opno = comparison(keys->type, BTEqualStrategyNumber);
	any->opfuncid = get_opcode(any->opno);
	any->useOr = true;
	any->args = list_make2(copyObject(column), copyObject(keys->list));
	any->location = -1;
	return (Expr *) any;
}

/* Element i of the range. */
static Expr *
bound(const SsdparShardKeys *keys, int i)
{
	SubscriptingRef *element = makeNode(SubscriptingRef);

	element->refcontainertype = keys->range->paramtype;
	element->refelemtype = keys->type;
	element->refrestype = keys->type;
	element->reftypmod = -1;
	element->refupperindexpr =
		list_make1(makeConst(INT4OID, -1, InvalidOid, sizeof(int32),
							 Int32GetDatum(i), false, true));
	element->refexpr = (Expr *) copyObject(keys->range);
	return (Expr *) element;
}

static Expr *
compares(Var *column, StrategyNumber strategy, const SsdparShardKeys *keys,
		 int i)
{
	OpExpr	   *test = (OpExpr *)
		make_opclause(comparison(keys->type, strategy), BOOLOID, false,
					  (Expr *) copyObject(column), bound(keys, i),
					  InvalidOid, InvalidOid);

	test->opfuncid = get_opcode(test->opno);
	return (Expr *) test;
}

/*
 * The least key is NULL if the remote server could read it as another number.
 */
static Expr *
is_in_range(Var *column, const SsdparShardKeys *keys)
{
	Expr	   *above = compares(column, BTGreaterEqualStrategyNumber, keys, 1);
	Expr	   *below = compares(column, BTLessEqualStrategyNumber, keys, 2);

	return make_andclause(list_make2(unless_null(bound(keys, 1), above),
									 below));
}

static Expr *
is_in_filter(Var *column, const SsdparShardKeys *keys)
{
	return (Expr *) makeFuncExpr(ssdpar_key_filter_function(), BOOLOID,
								 list_make2(copyObject(keys->filter),
											copyObject(column)),
								 InvalidOid, InvalidOid, COERCE_EXPLICIT_CALL);
}

List *
ssdpar_shard_key_conditions(PlannerInfo *root, RelOptInfo *fact,
							const SsdparShard *shard,
							const SsdparShardKeys *keys)
{
	const Var  *target = linitial_node(Var, keys->dimension->target_vars);
	Index		rti = shard->rel->relid;
	Var		   *column = makeVar(rti,
								 ssdpar_leaf_column(root, rti, fact->relid,
													target->varattno),
								 target->vartype, target->vartypmod,
								 target->varcollid, 0);
	List	   *conditions = NIL;

	conditions = lappend(conditions, unless_null((Expr *) keys->list,
												 is_in_list(column, keys)));
	conditions = lappend(conditions, unless_null((Expr *) keys->range,
												 is_in_range(column, keys)));
	if (keys->filter != NULL && shard->takes_filters)
		conditions = lappend(conditions,
							 unless_null((Expr *) keys->filter,
										 is_in_filter(column, keys)));
	return conditions;
}
