/*
 * client_functions.c
 *		ssdpar_test.announce: requests blocks of a table from the daemon, in as
 *		few messages as possible.
 */
#include "postgres.h"

#include "access/relation.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "utils/rel.h"

#include "prefetch/client.h"
#include "ssdpar_test.h"

PG_FUNCTION_INFO_V1(ssdpar_test_announce);

/*
 * announce(regclass, blocks bigint[]) returns bigint, the number of requested
 * blocks.  Blocks past the end of the relation are requested too.
 */
Datum
ssdpar_test_announce(PG_FUNCTION_ARGS)
{
	Relation	rel = relation_open(PG_GETARG_OID(0), AccessShareLock);
	Oid			type;
	int			count;
	Datum	   *blocks = ssdpar_test_elements(PG_GETARG_ARRAYTYPE_P(1), &type,
											  &count);
	SsdparRelationFile file;
	int64		added = 0;

	Assert(type == INT8OID);
	ssdpar_relation_file(&file, rel, MAIN_FORKNUM);
	ssdpar_client_begin(SSDPAR_WIRE_CLASS_RANDOM, ssdpar_client_new_stream());
	for (int i = 0; i < count; i++)
		if (ssdpar_client_add(&file, (BlockNumber) DatumGetInt64(blocks[i]),
							  1))
			added++;
	ssdpar_client_end();
	relation_close(rel, AccessShareLock);
	PG_RETURN_INT64(added);
}
