/*
 * stats_view.c
 *		The SQL functions behind ssdpar.pg_stat_ssdpar.
 *
 * Visibility follows the server's own statistics: members of pg_read_all_stats
 * see all databases, others the one they are connected to.
 */
#include "postgres.h"

#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/declared_row.h"
#include "prefetch/client.h"
#include "prefetch/counters.h"

/* datid, the counters, stats_reset, scope */
#define COLUMNS (SSDPAR_COUNTERS + 3)

static void
list_types(Oid types[COLUMNS])
{
	types[0] = OIDOID;
	for (int i = 1; i <= SSDPAR_COUNTERS; i++)
		types[i] = INT8OID;
	types[COLUMNS - 2] = TIMESTAMPTZOID;
	types[COLUMNS - 1] = TEXTOID;
}

PG_FUNCTION_INFO_V1(ssdpar_sql_prefetch_counters);
PG_FUNCTION_INFO_V1(ssdpar_sql_stat_reset);

/*
 * The total belongs to no database, so its datid is NULL.  since is 0 in a
 * session that has counted nothing and has no shared memory.
 */
static void
put_row(ReturnSetInfo *result, Oid database, bool is_total,
		const SsdparTally *tally)
{
	TimestampTz since = ssdpar_counters_since();
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {false};
	int			column = 0;

	nulls[column] = is_total;
	values[column++] = ObjectIdGetDatum(database);
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		values[column++] = Int64GetDatum((int64) tally->value[i]);
	nulls[column] = since == 0;
	values[column++] = TimestampTzGetDatum(since);
	values[column++] = CStringGetTextDatum(ssdpar_counters_shared() ?
										   "server" : "session");
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* prefetch_counters() returns one row per database, and the total. */
Datum
ssdpar_sql_prefetch_counters(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	bool		all = has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
	Oid			types[COLUMNS];
	SsdparTally total = {0};
	SsdparTally tally;
	Oid			database;

	list_types(types);
	ssdpar_begin_rows(fcinfo, types, COLUMNS);
	ssdpar_client_settle();
	for (int place = 0; ssdpar_counters_get(place, &database, &tally); place++)
	{
		for (int i = 0; i < SSDPAR_COUNTERS; i++)
			total.value[i] += tally.value[i];
		if (OidIsValid(database) && (all || database == MyDatabaseId))
			put_row(result, database, false, &tally);
	}
	if (all)
		put_row(result, InvalidOid, true, &total);
	return (Datum) 0;
}

/* stat_reset(); access is controlled by EXECUTE privileges. */
Datum
ssdpar_sql_stat_reset(PG_FUNCTION_ARGS)
{
	ssdpar_client_settle();
	ssdpar_counters_reset();
	PG_RETURN_VOID();
}
