/*
 * link_rows.c
 *		Links to other servers in SQL: what is known of them, and changing it.
 *
 * They are measured in SQL (ssdpar.calibrate_server()), by foreign tables: so
 * whom postgres_fdw lets connect, and as whom, is for it to say.
 */
#include "postgres.h"

#include <math.h>

#include "access/xlog.h"
#include "common/string.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "device/profile_changes.h"
#include "shards/link/address.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_stored_links);
PG_FUNCTION_INFO_V1(ssdpar_sql_server_address);
PG_FUNCTION_INFO_V1(ssdpar_sql_store_link);
PG_FUNCTION_INFO_V1(ssdpar_sql_forget_link);

#define LINK_COLUMNS 4

/* stored_links(): those of all databases. */
Datum
ssdpar_sql_stored_links(PG_FUNCTION_ARGS)
{
	SsdparProfileFile file = ssdpar_profiles_read();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;

	InitMaterializedSRF(fcinfo, 0);
	for (int i = 0; i < file.stored->nlinks; i++)
	{
		const SsdparStoredLink *link = &file.stored->links[i];
		Datum		values[LINK_COLUMNS];
		bool		nulls[LINK_COLUMNS] = {0};

		values[0] = CStringGetTextDatum(link->address);
		values[1] = Float8GetDatum(link->latency_seconds);
		values[2] = Float8GetDatum(link->bytes_per_second);
		values[3] = TimestampTzGetDatum(link->measured_at);
		tuplestore_putvalues(result->setResult, result->setDesc, values,
							 nulls);
	}
	return (Datum) 0;
}

/* server_address(server name): NULL for servers of other wrappers. */
Datum
ssdpar_sql_server_address(PG_FUNCTION_ARGS)
{
	ForeignServer *server =
		GetForeignServerByName(NameStr(*PG_GETARG_NAME(0)), false);

	if (!ssdpar_is_postgres_fdw(server))
		PG_RETURN_NULL();
	PG_RETURN_TEXT_P(cstring_to_text(ssdpar_address_of(server)));
}

/* The address of a server that can have a link, as it is kept. */
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
				 errdetail("ssdpar sends keys to foreign tables of postgres_fdw alone.")));
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

static double
positive(double number, const char *what)
{
	if (!(number > 0) || isinf(number))
		ereport(ERROR,
				(errcode(ERRCODE_CHECK_VIOLATION),
				 errmsg("a link cannot have this %s", what),
				 errdetail("It must be a finite positive number.")));
	return number;
}

/* On a standby too: the file is its own. */
static void
check_may_change(const char *function)
{
	if (!RecoveryInProgress())
		PreventCommandIfReadOnly(function);
	PreventCommandIfParallelMode(function);
}

/* store_link(server name, latency_seconds float8, bytes_per_second float8) */
Datum
ssdpar_sql_store_link(PG_FUNCTION_ARGS)
{
	SsdparStoredLink link = {.measured_at = GetCurrentTimestamp()};

	check_may_change("ssdpar.store_link()");
	strlcpy(link.address, address_to_keep(PG_GETARG_NAME(0)),
			sizeof(link.address));
	link.latency_seconds = positive(PG_GETARG_FLOAT8(1), "latency");
	link.bytes_per_second = positive(PG_GETARG_FLOAT8(2), "bandwidth");
	if (!ssdpar_stored_put_link(ssdpar_profiles_change(), &link))
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many links"),
				 errhint("Remove those that are not used with ssdpar.forget_link().")));
	PG_RETURN_VOID();
}

/* forget_link(server name): was there one? */
Datum
ssdpar_sql_forget_link(PG_FUNCTION_ARGS)
{
	char	   *address = address_to_keep(PG_GETARG_NAME(0));

	check_may_change("ssdpar.forget_link()");
	PG_RETURN_BOOL(ssdpar_stored_remove_link(ssdpar_profiles_change(),
											 address));
}
