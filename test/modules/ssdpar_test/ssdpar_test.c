/*
 * ssdpar_test.c
 *		The module's entry point, and functions shared by its SQL functions.
 *
 * The SQL functions expose ssdpar's components one at a time, so that tests
 * can compare each with plain queries.  They call the loaded library: this
 * module is linked with ssdpar.so, which exports those components for it (see
 * the top-level Makefile), and has no copy of them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "catalog/pg_type_d.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/array.h"
#include "utils/lsyscache.h"

#include "ssdpar_test.h"

PG_MODULE_MAGIC;

void		_PG_init(void);

/*
 * The dynamic linker has loaded ssdpar.so with us, but only the server calls
 * its _PG_init, which must happen before the first call into it.
 */
void
_PG_init(void)
{
	load_file("$libdir/ssdpar", false);
	ssdpar_test_note_starts();
	ssdpar_test_look_at_rings();
}

void
ssdpar_test_refuse(const char *what, const char *hint)
{
	ereport(ERROR,
			(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
			 errmsg("%s", what), errhint("%s", hint)));
}

Datum *
ssdpar_test_elements(ArrayType *array, Oid *type, int *count)
{
	int16		length;
	bool		by_value;
	char		alignment;
	Datum	   *values;
	bool	   *nulls;

	*type = ARR_ELEMTYPE(array);
	get_typlenbyvalalign(*type, &length, &by_value, &alignment);
	deconstruct_array(array, *type, length, by_value, alignment, &values,
					  &nulls, count);
	for (int i = 0; i < *count; i++)
	{
		if (nulls[i])
			ssdpar_test_refuse("keys must not be null",
							   "NULL equals no key: leave it out.");
	}
	return values;
}

Datum
ssdpar_test_row(FunctionCallInfo fcinfo, Datum *values, bool *nulls)
{
	TupleDesc	row;

	if (get_call_result_type(fcinfo, NULL, &row) != TYPEFUNC_COMPOSITE)
		elog(ERROR, "return type must be a row type");
	return HeapTupleGetDatum(heap_form_tuple(BlessTupleDesc(row), values,
											 nulls));
}
