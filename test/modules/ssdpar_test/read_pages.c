/*
 * read_pages.c
 *		ssdpar_test.read_pages and read_depth: read random pages of a table
 *		through a page list, at any depth and by any method.
 */
#include "postgres.h"

#include "access/relation.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "prefetch/page_list.h"
#include "ssdpar_test.h"

/*
 * Pages passed to the list at a time, like a node that finds them in batches.
 */
#define BATCH 512

PG_FUNCTION_INFO_V1(ssdpar_test_read_pages);
PG_FUNCTION_INFO_V1(ssdpar_test_read_depth);

static SsdparPageMethod
parse_method(const char *name)
{
	if (strcmp(name, "daemon") == 0)
		return SSDPAR_PAGES_DAEMON;
	if (strcmp(name, "local") == 0)
		return SSDPAR_PAGES_LOCAL;
	if (strcmp(name, "none") == 0)
		return SSDPAR_PAGES_NONE;
	ssdpar_test_refuse("there is no such method to read pages ahead",
					   "Use daemon, local or none.");
	return SSDPAR_PAGES_NONE;	/* keep compilers quiet */
}

/* A table, index or materialized view that supports prefetching. */
static Relation
open_relation(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);

	if (!RELKIND_HAS_STORAGE(rel->rd_rel->relkind) ||
		RelationUsesLocalBuffers(rel))
		ssdpar_test_refuse("a temporary relation, or one without storage, has no pages to be read ahead",
						   "Name a permanent table or index.");
	return rel;
}

static void
read_page(Relation rel, BlockNumber block)
{
	CHECK_FOR_INTERRUPTS();
	ReleaseBuffer(ReadBuffer(rel, block));
}

/*
 * Reads npages random pages, requesting each batch before the previous one is
 * read.  Returns the number of pages read.
 */
static int
read_random_pages(Relation rel, SsdparPageList *list, int npages, int seed)
{
	BlockNumber nblocks = RelationGetNumberOfBlocks(rel);
	BlockNumber *blocks = palloc_array(BlockNumber, npages + 1);
	pg_prng_state random;
	int			added = 0;

	if (nblocks == 0)
		return 0;
	pg_prng_seed(&random, (uint32) seed);
	for (int i = 0; i < npages; i++)
		blocks[i] = pg_prng_uint64_range(&random, 0, nblocks - 1);
	for (int i = 0; i < npages; i++)
	{
		while (added < npages && added - i <= BATCH)
		{
			int			count = Min(BATCH, npages - added);

			ssdpar_page_list_add(list, blocks + added, count);
			added += count;
		}
		read_page(rel, blocks[i]);
		ssdpar_page_list_advance(list, i + 1);
	}
	pfree(blocks);
	return npages;
}

/*
 * Returns the pages read; sets *deepest to the most open requests at a time.
 */
static int
read_by_list(FunctionCallInfo fcinfo, int *deepest)
{
	int			npages = PG_GETARG_INT32(1);
	int			depth = PG_GETARG_INT32(3);
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(4));
	SsdparPageMethod method = parse_method(name);
	Relation	rel;
	SsdparPageList *list;

	if (npages < 0 || npages > 10000000 || depth < 0 || depth > 1024)
		ssdpar_test_refuse("pages or depth is out of range",
						   "Give 0 to 10000000 pages and a depth of 0 to 1024.");
	rel = open_relation(PG_GETARG_OID(0));
	list = ssdpar_page_list_open(rel, MAIN_FORKNUM, method, depth);
	npages = read_random_pages(rel, list, npages, PG_GETARG_INT32(2));
	*deepest = ssdpar_page_list_deepest(list);
	ssdpar_page_list_close(list);
	relation_close(rel, AccessShareLock);
	return npages;
}

/*
 * read_pages(regclass, pages integer, seed integer, depth integer,
 * method text) returns bigint, the pages read
 */
Datum
ssdpar_test_read_pages(PG_FUNCTION_ARGS)
{
	int			deepest;

	PG_RETURN_INT64(read_by_list(fcinfo, &deepest));
}

/* read_depth(the same) returns integer, the most requests open at a time */
Datum
ssdpar_test_read_depth(PG_FUNCTION_ARGS)
{
	int			deepest;

	(void) read_by_list(fcinfo, &deepest);
	PG_RETURN_INT32(deepest);
}
