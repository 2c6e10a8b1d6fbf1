/*
 * option_number.c
 *		ssdpar.option_number(): a number among a table's, an index's or a
 *		tablespace's options, as the server reads it.
 *
 * Options are kept as they were written, and the server takes more for a whole
 * number than a cast to integer does: 70.0 and 0x46 are 70.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_option_number);

/* option_number(value text) returns integer: null if it is none. */
Datum
ssdpar_sql_option_number(PG_FUNCTION_ARGS)
{
	char	   *value = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			number;

	if (!parse_int(value, &number, 0, NULL))
		PG_RETURN_NULL();
	PG_RETURN_INT32(number);
}
