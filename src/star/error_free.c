/*
 * error_free.c
 *		Determines which functions cannot raise an error.
 *
 * This covers calls, sorting, and support functions.  error_free_list.c knows
 * what a function needs in order not to raise an error.  This file checks
 * whether a call provides it: which arguments are constants, and which
 * collation and encoding are used.
 */
#include "postgres.h"

#include "access/transam.h"
#include "catalog/pg_collation.h"
#include "catalog/pg_type.h"
#include "mb/pg_wchar.h"
#include "nodes/nodeFuncs.h"
#include "nodes/primnodes.h"
#include "utils/builtins.h"
#include "utils/fmgroids.h"
#include "utils/lsyscache.h"
#include "utils/timestamp.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "star/error_free.h"
#include "star/error_free_list.h"

/* LIKE recurses for each %. */
#define LONGEST_PATTERN 1000

/* Adding this to the current date cannot overflow.  */
#define MOST_DAYS 1000000
#define MOST_MONTHS 12000

/* Returns argument n if it is a constant of this type, else NULL. */
static Const *
constant_argument(List *args, int n, Oid type)
{
	Const	   *constant;

	if (list_length(args) <= n || !IsA(list_nth(args, n), Const))
		return NULL;
	constant = list_nth(args, n);
	return constant->consttype == type ? constant : NULL;
}

/*
 * Functions that depend on a collation fail if it cannot be determined, for
 * example because they compare two columns with different collations.
 */
static bool
has_collation(List *args, Oid collation)
{
	ListCell   *lc;

	/* other functions have no collatable arguments */
	if (OidIsValid(collation))
		return true;
	foreach(lc, args)
		if (type_is_collatable(exprType(lfirst(lc))))
			return false;
	return true;
}

/*
 * With a nondeterministic collation, at least up to PostgreSQL 17, text search
 * functions raise "nondeterministic collations are not supported".
 */
static bool
is_deterministic(Oid collation)
{
	return OidIsValid(collation) && get_collation_isdeterministic(collation);
}

/*
 * Valid UTF-8 can always be converted to wide characters.  Other multibyte
 * encodings have characters that the C library may not know, and SQL_ASCII has
 * arbitrary bytes.
 */
static bool
can_fold_case(Oid collation)
{
	if (!OidIsValid(collation))
		return false;
	return collation == C_COLLATION_OID ||
		GetDatabaseEncoding() == PG_UTF8 ||
		(pg_database_encoding_max_length() == 1 &&
		 GetDatabaseEncoding() != PG_SQL_ASCII);
}

/* Is the pattern a constant that does not end in an incomplete escape?  */
static bool
is_pattern(List *args)
{
	Const	   *constant = constant_argument(args, 1, TEXTOID);
	bool		escaped = false;
	bool		sound;
	text	   *pattern;

	if (constant == NULL)
		return false;
	if (constant->constisnull)
		return true;
	pattern = DatumGetTextPP(constant->constvalue);
	sound = VARSIZE_ANY_EXHDR(pattern) <= LONGEST_PATTERN;
	for (int i = 0; sound && i < (int) VARSIZE_ANY_EXHDR(pattern); i++)
		escaped = !escaped && VARDATA_ANY(pattern)[i] == '\\';
	return sound && !escaped;
}

static bool
is_length(List *args)
{
	Const	   *constant = constant_argument(args, 2, INT4OID);

	return constant != NULL &&
		(constant->constisnull || DatumGetInt32(constant->constvalue) >= 0);
}

/*
 * Is the field one that dates have or, with with_time, one that timestamps
 * have?
 */
static bool
is_field(List *args, bool with_time)
{
	static const char *const of_dates[] = {
		"year", "month", "day", "quarter", "week", "dow", "isodow", "doy",
		"isoyear", "decade", "century", "millennium", "epoch", NULL
	};
	static const char *const of_times[] = {"hour", "minute", "second", NULL};
	Const	   *constant = constant_argument(args, 0, TEXTOID);
	char	   *field;

	if (constant == NULL || constant->constisnull)
		return false;
	field = TextDatumGetCString(constant->constvalue);
	for (int i = 0; of_dates[i] != NULL; i++)
		if (pg_strcasecmp(field, of_dates[i]) == 0)
			return true;
	for (int i = 0; with_time && of_times[i] != NULL; i++)
		if (pg_strcasecmp(field, of_times[i]) == 0)
			return true;
	return false;
}

/*
 * Is the divisor a constant integer that is neither 0 nor the unwanted value?
 */
static bool
is_divisor(List *args, int64 unwanted)
{
	Const	   *constant = list_length(args) == 2 &&
		IsA(lsecond(args), Const) ? lsecond(args) : NULL;
	int64		divisor;

	if (constant == NULL)
		return false;
	if (constant->constisnull)
		return true;
	switch (constant->consttype)
	{
		case INT2OID:
			divisor = DatumGetInt16(constant->constvalue);
			break;
		case INT4OID:
			divisor = DatumGetInt32(constant->constvalue);
			break;
		case INT8OID:
			divisor = DatumGetInt64(constant->constvalue);
			break;
		default:
			return false;
	}
	return divisor != 0 && divisor != unwanted;
}

/* Is this the start time of the statement or the transaction?  */
static bool
is_clock(Node *expr)
{
	if (IsA(expr, SQLValueFunction))
		return ((SQLValueFunction *) expr)->type == DATEOID ||
			((SQLValueFunction *) expr)->type == TIMESTAMPOID ||
			((SQLValueFunction *) expr)->type == TIMESTAMPTZOID;
	if (!IsA(expr, FuncExpr))
		return false;
	switch (((FuncExpr *) expr)->funcid)
	{
		case F_NOW:
		case F_TRANSACTION_TIMESTAMP:
		case F_STATEMENT_TIMESTAMP:
			return true;
		case F_DATE_TIMESTAMPTZ:
		case F_TIMESTAMP_TIMESTAMPTZ:
			return is_clock(linitial(((FuncExpr *) expr)->args));
		default:
			return false;
	}
}

static bool
is_bounded(int64 value, int64 limit)
{
	return value >= -limit && value <= limit;
}

/* Is the span at most some hundreds of years?  */
static bool
is_span(List *args)
{
	Const	   *days = constant_argument(args, 1, INT4OID);
	Const	   *constant = constant_argument(args, 1, INTERVALOID);
	Interval   *interval;

	if (days != NULL)
		return days->constisnull ||
			is_bounded(DatumGetInt32(days->constvalue), MOST_DAYS);
	if (constant == NULL)
		return false;
	if (constant->constisnull)
		return true;
	interval = DatumGetIntervalP(constant->constvalue);
	return is_bounded(interval->month, MOST_MONTHS) &&
		is_bounded(interval->day, MOST_DAYS) &&
		is_bounded(interval->time, MOST_DAYS * USECS_PER_DAY);
}

bool
ssdpar_call_is_error_free(Oid function, List *args, Oid collation)
{
	if (!has_collation(args, collation))
		return false;
	switch (ssdpar_need_of(function))
	{
		case SSDPAR_NEEDS_NOTHING:
			return true;
		case SSDPAR_NEEDS_MARK:
			return get_func_leakproof(function);
		case SSDPAR_NEEDS_IMPOSSIBLE:
			return false;
		case SSDPAR_NEEDS_DETERMINISTIC:
			return is_deterministic(collation);
		case SSDPAR_NEEDS_CASE_FOLDING:
			return can_fold_case(collation);
		case SSDPAR_NEEDS_PATTERN:
			return is_deterministic(collation) && is_pattern(args);
		case SSDPAR_NEEDS_FOLDED_PATTERN:
			return is_deterministic(collation) && can_fold_case(collation) &&
				is_pattern(args);
		case SSDPAR_NEEDS_LENGTH:
			return is_length(args);
		case SSDPAR_NEEDS_FIELD_OF_DATE:
			return is_field(args, false);
		case SSDPAR_NEEDS_FIELD_OF_TIMESTAMP:
			return is_field(args, true);
		case SSDPAR_NEEDS_MODULUS:
			return is_divisor(args, 0);
		case SSDPAR_NEEDS_DIVISOR:
			return is_divisor(args, -1);
		case SSDPAR_NEEDS_CLOCK:
			return args != NIL && is_clock(linitial(args));
		case SSDPAR_NEEDS_CLOCK_AND_SPAN:
			return args != NIL && is_clock(linitial(args)) && is_span(args);
	}
	pg_unreachable();
}

bool
ssdpar_sorting_is_error_free(Oid type, Oid collation)
{
	TypeCacheEntry *entry = lookup_type_cache(type, TYPECACHE_CMP_PROC |
											  TYPECACHE_HASH_PROC);

	return (OidIsValid(collation) || !type_is_collatable(type)) &&
		OidIsValid(entry->cmp_proc) &&
		ssdpar_call_is_error_free(entry->cmp_proc, NIL, InvalidOid) &&
		(!OidIsValid(entry->hash_proc) ||
		 ssdpar_support_is_error_free(entry->hash_proc));
}

bool
ssdpar_grouping_is_error_free(Node *expr)
{
	return ssdpar_sorting_is_error_free(exprType(expr), exprCollation(expr));
}

bool
ssdpar_support_is_error_free(Oid function)
{
	return function < FirstNormalObjectId || get_func_leakproof(function);
}
