/*
 * store.c
 *		Stores a profile in a database (ssdpar-probe --store).
 *
 * Only ssdpar.store_profile(), which takes the JSON document, knows the layout
 * of the rows.
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif

#include "store.h"

#include <libpq-fe.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Invariant: once open has succeeded, tablespace is not NULL. */
struct ProbeStore
{
	PGconn	   *connection;
	char	   *tablespace;
};

/* libpq ends its messages with a newline. */
static void
set_detail(ProbeError *error, const char *text)
{
	size_t		length = strlen(text);

	while (length > 0 && text[length - 1] == '\n')
		length--;
	ssdpar_probe_detail(error, "%.*s", (int) length, text);
}

/*
 * Returns NULL with ERROR set on failure.  Values are passed as parameters,
 * never in the text, because a tablespace's name may contain any character.
 */
static PGresult *
query(PGconn *connection, const char *sql, int nparams,
	  const char *const *params, ProbeError *error)
{
	PGresult   *rows = PQexecParams(connection, sql, nparams, NULL, params,
									NULL, NULL, 0);
	ExecStatusType status = PQresultStatus(rows);

	if (status == PGRES_TUPLES_OK || status == PGRES_COMMAND_OK)
		return rows;
	ssdpar_probe_error(error, PROBE_IO_FAILED,
					   "the database did not keep the profile");
	set_detail(error, PQerrorMessage(connection));
	ssdpar_probe_hint(error, "Remove the cause and run ssdpar-probe again.");
	PQclear(rows);
	return NULL;
}

/* Continues after libpq has connected or failed to. */
static bool
begin_session(ProbeStore *store, ProbeError *error)
{
	PGresult   *rows;

	if (PQstatus(store->connection) != CONNECTION_OK)
	{
		ssdpar_probe_error(error, PROBE_BAD_PLACE,
						   "could not connect to the database of --store");
		set_detail(error, PQerrorMessage(store->connection));
		ssdpar_probe_hint(error, "Give a connection string that psql takes "
						  "too, for example \"dbname=warehouse\".");
		return false;
	}

	/* do not call a function of the same name in another schema */
	rows = query(store->connection, "SET search_path = pg_catalog", 0, NULL,
				 error);
	PQclear(rows);
	return rows != NULL;
}

/*
 * libpq also uses the environment (PGHOST, PGDATABASE, ...) and the password
 * file, so an empty string is sufficient.
 */
static bool
connect_database(ProbeStore *store, const char *conninfo, ProbeError *error)
{
	store->connection = PQconnectdb(conninfo);
	return begin_session(store, error);
}

/* Reported before the sweep, which takes a minute and writes to the device. */
static bool
cannot_store(ProbeError *error, ProbeErrorKind kind, const char *message,
			 const char *hint)
{
	ssdpar_probe_error(error, kind, "%s", message);
	ssdpar_probe_detail(error, "Nothing was measured, since it could not be "
						"kept.");
	ssdpar_probe_hint(error, "%s", hint);
	return false;
}

/*
 * Checks by signature, because an older ssdpar may lack the function.  A
 * read-only session would refuse the profile, so that is checked too; a
 * standby, which is also read-only, keeps its profile.
 */
static bool
check_extension(ProbeStore *store, ProbeError *error)
{
	PGresult   *rows = query(store->connection,
							 "SELECT to_regprocedure("
							 "'ssdpar.store_profile(name, json)') IS NOT NULL, "
							 "current_setting('transaction_read_only')::bool "
							 "AND NOT pg_is_in_recovery()", 0, NULL, error);
	bool		installed;
	bool		read_only;

	if (rows == NULL)
		return false;
	installed = strcmp(PQgetvalue(rows, 0, 0), "t") == 0;
	read_only = strcmp(PQgetvalue(rows, 0, 1), "t") == 0;
	PQclear(rows);
	if (!installed)
		return cannot_store(error, PROBE_BAD_PLACE,
							"the database of --store has no extension ssdpar",
							"Run CREATE EXTENSION ssdpar there, or give "
							"another database.");
	if (read_only)
		return cannot_store(error, PROBE_BAD_PLACE,
							"the database of --store is read-only",
							"Check default_transaction_read_only.");
	return true;
}

/*
 * Checks the privileges for ssdpar.store_profile() without calling it, because
 * a call would replace the existing profile.
 */
static bool
check_rights(ProbeStore *store, ProbeError *error)
{
	PGresult   *rows =
		query(store->connection,
			  "SELECT has_schema_privilege('ssdpar', 'USAGE') AND "
			  "has_function_privilege('ssdpar.store_profile("
			  "name, json)', 'EXECUTE')",
			  0, NULL, error);
	bool		allowed;

	if (rows == NULL)
		return false;
	allowed = strcmp(PQgetvalue(rows, 0, 0), "t") == 0;
	PQclear(rows);
	if (!allowed)
		return cannot_store(error, PROBE_NO_ACCESS,
							"this role may not write device profiles",
							"Connect as a superuser or as a member of "
							"pg_write_server_files.");
	return true;
}

/*
 * Is DIRECTORY the directory of this row's tablespace or below it?  Returns
 * the length of that path, or 0.  Links are resolved if this user may do so;
 * otherwise the server's path is used.
 */
static size_t
match_row(PGresult *rows, int row, const char *directory)
{
	const char *place = PQgetvalue(rows, row, 1);
	bool		exact = strcmp(PQgetvalue(rows, row, 2), "t") == 0;
	char		resolved[PATH_MAX];
	size_t		length;

	if (realpath(place, resolved) == NULL)
		snprintf(resolved, sizeof(resolved), "%s", place);

	/* "/data/a" is a prefix of "/data/ab", but does not contain it */
	length = strlen(resolved);
	if (length == 0 || strncmp(directory, resolved, length) != 0 ||
		(directory[length] != '\0' && directory[length] != '/'))
		return 0;

	/*
	 * The data directory itself represents pg_default, but subdirectories may
	 * be separate mounts (pg_wal often is).
	 */
	return (exact && directory[length] != '\0') ? 0 : length;
}

/*
 * Finds the tablespace with the longest directory that contains DIRECTORY.
 * pg_default and pg_global have no separate location, and in-place tablespaces
 * (since PostgreSQL 15) have a relative one.
 */
static bool
find_tablespace(ProbeStore *store, const char *directory, ProbeError *error)
{
	static const char *const sql =
		"WITH d AS (SELECT max(setting) AS dir FROM pg_settings "
		"WHERE name = 'data_directory') "
		"SELECT spcname, CASE spcname WHEN 'pg_default' THEN dir || '/base' "
		"WHEN 'pg_global' THEN dir || '/global' ELSE "
		"CASE WHEN pg_tablespace_location(oid) LIKE '/%' "
		"THEN pg_tablespace_location(oid) "
		"ELSE dir || '/' || pg_tablespace_location(oid) END END, false "
		"FROM pg_tablespace, d "
		"UNION ALL SELECT 'pg_default', dir, true FROM d";
	char		resolved[PATH_MAX];
	size_t		best = 0;
	PGresult   *rows;

	if (realpath(directory, resolved) == NULL)
		snprintf(resolved, sizeof(resolved), "%s", directory);
	rows = query(store->connection, sql, 0, NULL, error);
	if (rows == NULL)
		return false;
	for (int i = 0; i < PQntuples(rows); i++)
	{
		size_t		length = match_row(rows, i, resolved);

		if (length <= best)
			continue;
		best = length;
		free(store->tablespace);
		store->tablespace = strdup(PQgetvalue(rows, i, 0));
	}
	PQclear(rows);
	if (store->tablespace != NULL)
		return true;
	return cannot_store(error, PROBE_BAD_PLACE,
						"no tablespace of the --store server is in this "
						"directory, as far as this role may see",
						"Name the tablespace on this device with "
						"--tablespace.");
}

/* For a name given by the user: it must exist, wherever DIRECTORY is. */
static bool
check_tablespace(ProbeStore *store, const char *name, ProbeError *error)
{
	const char *params[1] = {name};
	PGresult   *rows = query(store->connection,
							 "SELECT 1 FROM pg_tablespace WHERE spcname = $1", 1,
							 params, error);
	bool		found;

	if (rows == NULL)
		return false;
	found = PQntuples(rows) == 1;
	PQclear(rows);
	if (!found)
	{
		cannot_store(error, PROBE_BAD_OPTION, "",
					 "List them with \\db in psql.");
		snprintf(error->message, sizeof(error->message),
				 "the --store server has no tablespace \"%s\"", name);
		return false;
	}
	store->tablespace = strdup(name);
	return store->tablespace != NULL;
}

ProbeStore *
ssdpar_probe_store_open(const char *conninfo, const char *directory,
						const char *tablespace, ProbeError *error)
{
	ProbeStore *store = calloc(1, sizeof(*store));

	if (store == NULL)
	{
		cannot_store(error, PROBE_NO_MEMORY, "out of memory",
					 "Free memory and try again.");
		return NULL;
	}
	if (connect_database(store, conninfo, error) &&
		check_extension(store, error) && check_rights(store, error) &&
		(tablespace != NULL ? check_tablespace(store, tablespace, error)
		 : find_tablespace(store, directory, error)))
		return store;
	ssdpar_probe_store_close(store);
	return NULL;
}

const char *
ssdpar_probe_store_tablespace(const ProbeStore *store)
{
	return store->tablespace;
}

static bool
save(ProbeStore *store, const char *json, ProbeError *error)
{
	const char *params[2] = {store->tablespace, json};
	PGresult   *rows = query(store->connection,
							 "SELECT ssdpar.store_profile($1, $2)", 2,
							 params, error);

	PQclear(rows);
	return rows != NULL;
}

/*
 * The connection was idle during the whole measurement, so the server may have
 * closed it or been restarted.  Only using it shows that, because PQstatus()
 * describes the last use.  Storing the same profile twice does no harm.
 */
bool
ssdpar_probe_store_save(ProbeStore *store, const char *json, ProbeError *error)
{
	if (save(store, json, error))
		return true;
	if (PQstatus(store->connection) == CONNECTION_OK)
		return false;
	PQreset(store->connection);
	return begin_session(store, error) && save(store, json, error);
}

void
ssdpar_probe_store_close(ProbeStore *store)
{
	PQfinish(store->connection);
	free(store->tablespace);
	free(store);
}
