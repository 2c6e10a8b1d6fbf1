/*
 * read_pages.c
 *		ssdpar.read_pages: reads random pages of a table through a page list.
 *
 * A test aid: it shows what a page list is worth on this machine, at any depth
 * and by any method.  No query uses it.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_authid.h"
#include "common/pg_prng.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/rel.h"

#include "compat.h"
#include "prefetch/page_list.h"

/* Pages handed to the list at a time, as a node would that finds them. */
#define BATCH 512

PG_FUNCTION_INFO_V1(ssdpar_sql_read_pages);

static SsdparPageMethod
parse_method(const char *name)
{
	if (strcmp(name, "daemon") == 0)
		return SSDPAR_PAGES_DAEMON;
	if (strcmp(name, "local") == 0)
		return SSDPAR_PAGES_LOCAL;
	if (strcmp(name, "none") == 0)
		return SSDPAR_PAGES_NONE;
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("there is no method \"%s\" to read pages ahead", name),
			 errhint("Use daemon, local or none.")));
	return SSDPAR_PAGES_NONE;	/* keep compilers quiet */
}

static void
check_permission(void)
{
	if (!superuser() &&
		!has_privs_of_role(GetUserId(), ROLE_PG_READ_SERVER_FILES))
		ereport(ERROR,
				(errcode(ERRCODE_INSUFFICIENT_PRIVILEGE),
				 errmsg("permission denied to read pages of a table"),
				 errdetail("Only superusers and members of pg_read_server_files may."),
				 errhint("Ask one of them to grant you pg_read_server_files.")));
}

/* A table, index or materialised view that pages can be read ahead of. */
static Relation
open_relation(Oid relid)
{
	Relation	rel = relation_open(relid, AccessShareLock);

	if (!RELKIND_HAS_STORAGE(rel->rd_rel->relkind) ||
		RelationUsesLocalBuffers(rel))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("\"%s\" has no pages to be read ahead",
						RelationGetRelationName(rel)),
				 errdetail("It is temporary, or has no storage of its own."),
				 errhint("Name a permanent table or index.")));
	return rel;
}

static void
read_page(Relation rel, BlockNumber block)
{
	CHECK_FOR_INTERRUPTS();
	ReleaseBuffer(ReadBuffer(rel, block));
}

/* Read npages random pages, each batch ahead of the one that is read. */
static void
read_random_pages(Relation rel, SsdparPageList *list, int npages, int seed)
{
	BlockNumber nblocks = RelationGetNumberOfBlocks(rel);
	BlockNumber *blocks = palloc_array(BlockNumber, npages + 1);
	pg_prng_state random;
	int			added = 0;

	if (nblocks == 0)
		return;
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
}

/*
 * read_pages(regclass, pages integer, seed integer, depth integer,
 * method text, OUT pages_read bigint, OUT ms double precision)
 */
Datum
ssdpar_sql_read_pages(PG_FUNCTION_ARGS)
{
	int			npages = PG_GETARG_INT32(1);
	int			depth = PG_GETARG_INT32(3);
	char	   *name = text_to_cstring(PG_GETARG_TEXT_PP(4));
	SsdparPageMethod method = parse_method(name);
	Relation	rel;
	SsdparPageList *list;
	instr_time	start;
	instr_time	duration;
	TupleDesc	row;
	Datum		values[2];
	bool		nulls[2] = {false, false};

	check_permission();
	if (npages < 0 || npages > 10000000 || depth < 0 || depth > 1024)
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("pages must be 0 to 10000000 and depth 0 to 1024")));
	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	rel = open_relation(PG_GETARG_OID(0));
	INSTR_TIME_SET_CURRENT(start);
	list = ssdpar_page_list_open(rel, MAIN_FORKNUM, method, depth);
	read_random_pages(rel, list, npages, PG_GETARG_INT32(2));
	ssdpar_page_list_close(list);
	INSTR_TIME_SET_CURRENT(duration);
	INSTR_TIME_SUBTRACT(duration, start);
	values[0] = Int64GetDatum(RelationGetNumberOfBlocks(rel) > 0 ? npages : 0);
	values[1] = Float8GetDatum(INSTR_TIME_GET_MILLISEC(duration));
	relation_close(rel, AccessShareLock);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row),
													  values, nulls)));
}
