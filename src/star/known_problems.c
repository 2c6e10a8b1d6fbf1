/*
 * known_problems.c
 *		What was found out about paths (repeatable.c) and conditions (early.c).
 *
 * A path of a relation is one side of joins with many others, and part of the
 * paths of these joins, and so on, and they have their conditions and columns
 * in common.  To walk through all of them each time takes more than core's
 * planning does.
 *
 * A node is known by its address, so it must not be freed.  Core frees paths of
 * a relation while that is made, and what a genetic search makes of a tree when
 * it comes to the next; but not what that is made of.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "base/planner_compat.h"
#include "star/known_problems.h"

typedef struct KnownNode
{
	const void *node;
	SsdparRefusal problem;
	char		status;			/* simplehash.h's */
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

/* Of the statement being planned, in its memory. */
static SsdparKnownProblems statement = {NULL};

bool
ssdpar_known_problem(const void *node, SsdparRefusal *problem)
{
	const KnownNode *known = statement.nodes == NULL ? NULL :
		known_lookup(statement.nodes, node);

	if (known == NULL)
		return false;
	*problem = known->problem;
	return true;
}

void
ssdpar_keep_problem(PlannerInfo *root, const void *node, SsdparRefusal problem)
{
	bool		found;

	if (ssdpar_genetic_search(root) &&
		GetMemoryChunkContext((void *) node) != root->planner_cxt)
		return;
	if (statement.nodes == NULL)
		statement.nodes = known_create(root->planner_cxt, 256, NULL);
	known_insert(statement.nodes, node, &found)->problem = problem;
}

SsdparKnownProblems
ssdpar_known_problems_begin(void)
{
	SsdparKnownProblems outer = statement;

	statement.nodes = NULL;
	return outer;
}

void
ssdpar_known_problems_end(const SsdparKnownProblems *outer)
{
	statement = *outer;
}
