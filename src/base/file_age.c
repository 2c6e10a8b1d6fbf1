/*
 * file_age.c
 *		ssdpar.file_age(): how long a relation's file has existed.
 *
 * The catalogs do not record when a relation was created, but most file
 * systems record when a file was.  A relation that is rewritten (REINDEX,
 * TRUNCATE, VACUUM FULL), moved or restored gets a new file.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_file_age);

/* Path relative to the data directory, or NULL if there is no file. */
static char *
path_of(Oid relation)
{
	LOCAL_FCINFO(call, 1);
	Datum		path;

	InitFunctionCallInfoData(*call, NULL, 1, InvalidOid, NULL, NULL);
	call->args[0].value = ObjectIdGetDatum(relation);
	call->args[0].isnull = false;
	path = pg_relation_filepath(call);
	return call->isnull ? NULL : TextDatumGetCString(path);
}

/*
 * file_age(relation oid) returns float8: seconds, at least 0.  NULL if there
 * is no such file, or its file system does not record creation times.
 */
Datum
ssdpar_sql_file_age(PG_FUNCTION_ARGS)
{
	const char *path = path_of(PG_GETARG_OID(0));
	struct statx file;
	TimestampTz made;

	if (path == NULL || statx(AT_FDCWD, path, 0, STATX_BTIME, &file) != 0 ||
		(file.stx_mask & STATX_BTIME) == 0)
		PG_RETURN_NULL();
	made = time_t_to_timestamptz((pg_time_t) file.stx_btime.tv_sec);
	PG_RETURN_FLOAT8(Max((GetCurrentTimestamp() - made) / 1e6, 0.0));
}
