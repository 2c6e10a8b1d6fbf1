/*
 * known_repeatable.c
 *		What was found out about paths that last (repeatable.c).
 *
 * A path of a relation is one side of joins with many others, and part of the
 * paths of these joins, and so on.  To walk down to the tables each time takes
 * more than core's planning does.
 *
 * A path is known by its address.  So nothing is kept of those that core may
 * free: of a relation that is being made, and in a genetic search.
 */
#include "postgres.h"

#include "common/hashfn.h"

#include "base/planner_compat.h"
#include "star/known_repeatable.h"

typedef struct KnownPath
{
	Path	   *path;
	SsdparRefusal problem;
	char		status;			/* simplehash.h's */
} KnownPath;

#define SH_PREFIX known
#define SH_ELEMENT_TYPE KnownPath
#define SH_KEY_TYPE Path *
#define SH_KEY path
#define SH_HASH_KEY(table, key) \
	hash_bytes((const unsigned char *) &(key), sizeof(key))
#define SH_EQUAL(table, a, b) ((a) == (b))
#define SH_SCOPE static inline
#define SH_DECLARE
#define SH_DEFINE
#include "lib/simplehash.h"

/* Of the statement being planned, in its memory. */
static SsdparKnownRepeatable statement = {NULL};

bool
ssdpar_known_repeatable(Path *path, SsdparRefusal *problem)
{
	const KnownPath *known = statement.paths == NULL ? NULL :
		known_lookup(statement.paths, path);

	if (known == NULL)
		return false;
	*problem = known->problem;
	return true;
}

void
ssdpar_keep_repeatable(PlannerInfo *root, Path *path, SsdparRefusal problem)
{
	bool		found;

	if (ssdpar_genetic_search(root))
		return;
	if (statement.paths == NULL)
		statement.paths = known_create(CurrentMemoryContext, 256, NULL);
	known_insert(statement.paths, path, &found)->problem = problem;
}

SsdparKnownRepeatable
ssdpar_known_repeatable_begin(void)
{
	SsdparKnownRepeatable outer = statement;

	statement.paths = NULL;
	return outer;
}

void
ssdpar_known_repeatable_end(const SsdparKnownRepeatable *outer)
{
	statement = *outer;
}
