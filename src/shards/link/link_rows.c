/*
 * link_rows.c
 *		SQL functions that show and change what is known of links.
 *
 * Links are measured in SQL (ssdpar.calibrate_server()), through foreign
 * tables, so postgres_fdw decides which users may connect, and as whom.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "access/xlog.h"
#include "catalog/pg_authid.h"
#include "catalog/pg_type.h"
#include "common/string.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/acl.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "device/profile_file.h"
#include "shards/link/address.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_known_links);
PG_FUNCTION_INFO_V1(ssdpar_sql_server_address);
PG_FUNCTION_INFO_V1(ssdpar_sql_store_link);
PG_FUNCTION_INFO_V1(ssdpar_sql_store_shard);
PG_FUNCTION_INFO_V1(ssdpar_sql_forget_link);

#define LINK_COLUMNS 6

static const Oid link_column_types[LINK_COLUMNS] = {
	TEXTOID, FLOAT8OID, FLOAT8OID, TIMESTAMPTZOID, FLOAT8OID, FLOAT8OID,
};

/*
 * stored_links(of_address text): NULL asks for the links of all databases,
 * whose addresses only some roles may see.
 */
Datum
ssdpar_sql_known_links(PG_FUNCTION_ARGS)
{
	SsdparProfileFile file = ssdpar_profiles_read();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	const char *wanted = PG_ARGISNULL(0) ? NULL :
		text_to_cstring(PG_GETARG_TEXT_PP(0));
	bool		all = wanted == NULL &&
		has_privs_of_role(GetUserId(), ROLE_PG_READ_ALL_STATS);
	ListCell   *lc;

	ssdpar_begin_rows(fcinfo, link_column_types, LINK_COLUMNS);
	foreach(lc, file.stored->links)
	{
		const SsdparStoredLink *link = lfirst(lc);
		Datum		values[LINK_COLUMNS];
		bool		nulls[LINK_COLUMNS] = {0};

		if (!all && (wanted == NULL || strcmp(link->address, wanted) != 0))
			continue;
		values[0] = CStringGetTextDatum(link->address);
		values[1] = Float8GetDatum(link->latency_seconds);
		values[2] = Float8GetDatum(link->bytes_per_second);
		values[3] = TimestampTzGetDatum(link->measured_at);
		values[4] = Float8GetDatum(link->device_bytes_per_second);
		values[5] = Float8GetDatum(link->cost_unit_seconds);
		nulls[4] = !(link->device_bytes_per_second > 0);
		nulls[5] = !(link->cost_unit_seconds > 0);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}

/*
 * server_address(server name): NULL for servers of other wrappers, and for a
 * server dropped since the caller's snapshot.
 */
Datum
ssdpar_sql_server_address(PG_FUNCTION_ARGS)
{
	ForeignServer *server =
		GetForeignServerByName(NameStr(*PG_GETARG_NAME(0)), true);

	if (server == NULL || !ssdpar_is_postgres_fdw(server))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(ssdpar_address_of(server)));
}

/* Address of a server that can have a link, as it is stored. */
static char *
address_to_keep(Name name)
{
	ForeignServer *server = GetForeignServerByName(NameStr(*name), false);
	char	   *address;

	if (!ssdpar_is_postgres_fdw(server))
		ereport(ERROR,
				(errcode(ERRCODE_WRONG_OBJECT_TYPE),
				 errmsg("server \"%s\" is not one of postgres_fdw",
						server->servername),
				 errdetail("ssdpar sends keys only to foreign tables of postgres_fdw.")));
	address = ssdpar_address_of(server);
	if (strlen(address) >= SSDPAR_ADDRESS_SIZE || !pg_is_ascii(address))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("the link to server \"%s\" cannot be kept",
						server->servername),
				 errdetail("What its options say of service, host and port "
						   "is longer than %d characters, or not ASCII.",
						   SSDPAR_ADDRESS_SIZE - 1)));
	return address;
}

/*
 * Refuses numbers that the file of profiles cannot represent (profile_json.c).
 */
static double
positive(double number, const char *what)
{
	if (!(number >= DBL_MIN) || isinf(number))
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("a link cannot have this %s", what),
				 errdetail("It must be a finite positive number.")));
	return number;
}

/* Adds a link to an unknown address. */
static SsdparStoredLink *
add(SsdparStored *stored, const char *address)
{
	SsdparStoredLink *link;

	if (list_length(stored->links) >= SSDPAR_LINKS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many links"),
				 errhint("Remove those that are not used with ssdpar.forget_link().")));
	link = palloc0_object(SsdparStoredLink);
	stored->links = lappend(stored->links, link);
	strlcpy(link->address, address, sizeof(link->address));
	return link;
}

/* Allowed on a standby, because each server has its own file. */
static void
check_may_change(const char *function)
{
	if (!RecoveryInProgress())
		PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

/*
 * store_link(server name, latency_seconds float8, bytes_per_second float8):
 * keeps what is known of the server there.
 */
Datum
ssdpar_sql_store_link(PG_FUNCTION_ARGS)
{
	SsdparStored *stored;
	SsdparStoredLink *link;
	const char *address;

	check_may_change("ssdpar.store_link()");
	address = address_to_keep(PG_GETARG_NAME(0));
	stored = ssdpar_profiles_begin_change();
	link = ssdpar_stored_find_link(stored, address);
	if (link == NULL)
		link = add(stored, address);
	link->measured_at = GetCurrentTimestamp();
	link->latency_seconds = positive(PG_GETARG_FLOAT8(1), "latency");
	link->bytes_per_second = positive(PG_GETARG_FLOAT8(2), "bandwidth");
	ssdpar_profiles_finish_change(stored);
	PG_RETURN_VOID();
}

/* Unknown values are NULL. */
static double
positive_or_unknown(FunctionCallInfo fcinfo, int argument, const char *what)
{
	return PG_ARGISNULL(argument) ? 0 :
		positive(PG_GETARG_FLOAT8(argument), what);
}

/*
 * store_shard(server name, device_bytes_per_second float8,
 * cost_unit_seconds float8)
 */
Datum
ssdpar_sql_store_shard(PG_FUNCTION_ARGS)
{
	const char *address;
	SsdparStored *stored;
	SsdparStoredLink *link;

	check_may_change("ssdpar.store_shard()");
	if (PG_ARGISNULL(0))
		PG_RETURN_VOID();
	address = address_to_keep(PG_GETARG_NAME(0));
	stored = ssdpar_profiles_begin_change();
	link = ssdpar_stored_find_link(stored, address);
	if (link == NULL)
		ereport(ERROR,
				(errcode(ERRCODE_OBJECT_NOT_IN_PREREQUISITE_STATE),
				 errmsg("the link to server \"%s\" is not known",
						NameStr(*PG_GETARG_NAME(0))),
				 errdetail("Data about a server is stored with its link."),
				 errhint("Measure the link with ssdpar.calibrate_server(), or set it with ssdpar.store_link().")));
	link->device_bytes_per_second =
		positive_or_unknown(fcinfo, 1, "bandwidth of its device");
	link->cost_unit_seconds =
		positive_or_unknown(fcinfo, 2, "time of a cost unit");
	ssdpar_profiles_finish_change(stored);
	PG_RETURN_VOID();
}

/* forget_link(server name): was there one? */
Datum
ssdpar_sql_forget_link(PG_FUNCTION_ARGS)
{
	char	   *address = address_to_keep(PG_GETARG_NAME(0));
	SsdparStored *stored;
	SsdparStoredLink *link;

	check_may_change("ssdpar.forget_link()");
	stored = ssdpar_profiles_begin_change();
	link = ssdpar_stored_find_link(stored, address);
	stored->links = list_delete_ptr(stored->links, link);
	ssdpar_profiles_finish_change(stored);
	PG_RETURN_BOOL(link != NULL);
}
