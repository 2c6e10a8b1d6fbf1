/*
 * option_number.c
 *		ssdpar.option_number(): parses a numeric option of a table, an index or
 *		a tablespace as the server does.
 *
 * Options are stored as they were written, and the server accepts more
 * spellings of an integer than a cast does: 70.0 and 0x46 are 70.
 */
#include "postgres.h"

#include "fmgr.h"
#include "utils/builtins.h"
#include "utils/guc.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_option_number);

/* option_number(value text) returns integer: NULL if it is not a number. */
Datum
ssdpar_sql_option_number(PG_FUNCTION_ARGS)
{
	char	   *value = text_to_cstring(PG_GETARG_TEXT_PP(0));
	int			number;

	if (!parse_int(value, &number, 0, NULL))
		PG_RETURN_NULL();
	PG_RETURN_INT32(number);
}
