/*
 * known_problems.c
 *		Cache of the answers about paths (repeatable.c) and conditions
 *		(early.c).
 *
 * A path of a relation is a side of joins with many others, and part of the
 * paths of these joins, and so on.  They share conditions and columns too.
 * Walking through all of them each time would take longer than core's
 * planning.
 *
 * Nodes are identified by address, so they must not be freed.  Core frees
 * paths of a relation while it builds that relation.  A genetic search builds
 * about a hundred join trees, each in a separate memory context, which it
 * deletes before the next one.  Answers about the nodes of such a tree are
 * allocated in the same context, so they disappear together with the nodes.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "base/planner_compat.h"
#include "star/known_problems.h"

typedef struct KnownNode
{
	const void *node;
	SsdparRefusal problem;
	char		status;			/* for simplehash.h */
} KnownNode;

#define SH_PREFIX known
#define SH_ELEMENT_TYPE KnownNode
#define SH_KEY_TYPE const void *
#define SH_KEY node
#define SH_HASH_KEY(table, key) \
	murmurhash32((uint32) ((uintptr_t) (key) / MAXIMUM_ALIGNOF))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* For the statement being planned, in its memory.  */
static SsdparKnownProblems statement = {NULL};

static const KnownNode *
find_node(struct known_hash *nodes, const void *node)
{
	return nodes == NULL ? NULL : known_lookup(nodes, node);
}

bool
ssdpar_known_problem(const void *node, SsdparRefusal *problem)
{
	const KnownNode *known = find_node(statement.of_tree, node);

	if (known == NULL)
		known = find_node(statement.nodes, node);
	if (known == NULL)
		return false;
	*problem = known->problem;
	return true;
}

/* MemoryContextCallbackFunction: the tree's nodes are about to be freed.  */
static void
forget_tree(void *of_tree)
{
	if (statement.of_tree == of_tree)
		statement.of_tree = NULL;
}

/*
 * Returns the table for nodes in this context, which is not the statement's.
 */
static struct known_hash *
nodes_of_tree(MemoryContext tree)
{
	MemoryContextCallback *callback;

	if (statement.of_tree != NULL)
		return statement.tree == tree ? statement.of_tree : NULL;
	statement.of_tree = known_create(tree, 256, NULL);
	statement.tree = tree;
	callback = MemoryContextAlloc(tree, sizeof(MemoryContextCallback));
	callback->func = forget_tree;
	callback->arg = statement.of_tree;
	MemoryContextRegisterResetCallback(tree, callback);
	return statement.of_tree;
}

static struct known_hash *
nodes_with(PlannerInfo *root, const void *node)
{
	MemoryContext memory = root->planner_cxt;

	if (ssdpar_genetic_search(root))
		memory = GetMemoryChunkContext((void *) node);
	if (memory != root->planner_cxt)
		return nodes_of_tree(memory);
	if (statement.nodes == NULL)
		statement.nodes = known_create(memory, 256, NULL);
	return statement.nodes;
}

void
ssdpar_keep_problem(PlannerInfo *root, const void *node, SsdparRefusal problem)
{
	struct known_hash *nodes = nodes_with(root, node);
	bool		found;

	if (nodes != NULL)
		known_insert(nodes, node, &found)->problem = problem;
}

SsdparKnownProblems
ssdpar_known_problems_begin(void)
{
	SsdparKnownProblems outer = statement;

	statement = (SsdparKnownProblems) {NULL};
	return outer;
}

void
ssdpar_known_problems_end(const SsdparKnownProblems *outer)
{
	statement = *outer;
}
