/*
 * key_filter_function.c
 *		The function that another server is asked by.
 *
 * postgres_fdw sends functions of extensions that the server's options list.
 * It is looked for by name, so whether it is the extension's has to be asked:
 * the library may be loaded where there is no extension, and a schema of its
 * name belong to anybody.
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
