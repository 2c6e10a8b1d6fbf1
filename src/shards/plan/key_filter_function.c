/*
 * key_filter_function.c
 *		Looks up ssdpar.in_key_filter().
 *
 * postgres_fdw only sends functions of extensions that the server's options
 * list. We look the function up by name, so we have to check that it belongs
 * to the extension: the library may be loaded where the extension is not
 * installed, and any user may then own a schema of that name.
 */
#include "postgres.h"

#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_proc.h"
#include "catalog/pg_type_d.h"
#include "commands/extension.h"
#include "utils/builtins.h"
#include "utils/syscache.h"

#include "shards/plan/key_filter_function.h"

Oid
ssdpar_key_filter_function(void)
{
	Oid			types[] = {BYTEAOID, ANYOID};
	Oid			schema = get_namespace_oid("ssdpar", true);
	Oid			extension = get_extension_oid(SSDPAR_EXTENSION, true);
	Oid			function;

	if (!OidIsValid(schema) || !OidIsValid(extension))
		return InvalidOid;
	function = GetSysCacheOid3(PROCNAMEARGSNSP, Anum_pg_proc_oid,
							   CStringGetDatum("in_key_filter"),
							   PointerGetDatum(buildoidvector(types,
															  lengthof(types))),
							   ObjectIdGetDatum(schema));
	if (!OidIsValid(function) ||
		getExtensionOfObject(ProcedureRelationId, function) != extension)
		return InvalidOid;
	return function;
}
