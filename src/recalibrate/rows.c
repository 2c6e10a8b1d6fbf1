/*
 * rows.c
 *		ssdpar.auto_calibrations(): what the background has calibrated, as
 *		rows.
 */
#include "postgres.h"

#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "fmgr.h"
#include "funcapi.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"
#include "utils/tuplestore.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "recalibrate/record.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_auto_calibrations);

/* As in the function's result. */
enum Column
{
	TABLESPACE,
	CAUSE,
	OUTCOME,
	EXTENT,
	CHANGED_AT,
	SECONDS,
	WRITTEN_BYTES,
	MESSAGE,
	SECONDS_LEFT,
	BYTES_LEFT,
	COLUMNS
};

static const Oid column_types[COLUMNS] = {
	NAMEOID, TEXTOID, TEXTOID, TEXTOID, TIMESTAMPTZOID, FLOAT8OID, INT8OID,
	TEXTOID, FLOAT8OID, INT8OID,
};

static const char *const outcomes[] = {
	[SSDPAR_OUTCOME_WAITING] = "waiting",
	[SSDPAR_OUTCOME_RUNNING] = "running",
	[SSDPAR_OUTCOME_DONE] = "done",
	[SSDPAR_OUTCOME_ENDED] = "ended",
	[SSDPAR_OUTCOME_INTERRUPTED] = "ended",
	[SSDPAR_OUTCOME_UNAFFORDABLE] = "no budget",
	[SSDPAR_OUTCOME_FAILED] = "failed",
};

static const char *const extents[] = {
	[SSDPAR_EXTENT_QUICK] = "quick",
	[SSDPAR_EXTENT_WHOLE] = "whole",
};

static Datum
text_or_null(const char *text, bool *isnull)
{
	*isnull = text == NULL || text[0] == '\0';
	return *isnull ? (Datum) 0 : CStringGetTextDatum(text);
}

static void
put_row(ReturnSetInfo *result, const char *name, const SsdparRecord *record)
{
	SsdparBudget left = ssdpar_records_left();
	bool		begun = record->extent != SSDPAR_EXTENT_NONE;
	Datum		values[COLUMNS];
	bool		nulls[COLUMNS] = {0};

	values[TABLESPACE] = DirectFunctionCall1(namein, CStringGetDatum(name));
	values[CAUSE] = text_or_null(ssdpar_cause_name(record->cause),
								 &nulls[CAUSE]);
	values[OUTCOME] = CStringGetTextDatum(outcomes[record->outcome]);
	values[EXTENT] = text_or_null(extents[record->extent], &nulls[EXTENT]);
	values[CHANGED_AT] = TimestampTzGetDatum(record->changed_at);
	nulls[SECONDS] = !begun || record->outcome == SSDPAR_OUTCOME_RUNNING;
	values[SECONDS] = Float8GetDatum(record->seconds);
	nulls[WRITTEN_BYTES] = !begun;
	values[WRITTEN_BYTES] = Int64GetDatum(record->bytes);
	values[MESSAGE] = text_or_null(record->message, &nulls[MESSAGE]);
	values[SECONDS_LEFT] = Float8GetDatum(left.seconds);
	values[BYTES_LEFT] = Int64GetDatum(left.bytes);
	tuplestore_putvalues(result->setResult, result->setDesc, values, nulls);
}

/* auto_calibrations(): the rows of ssdpar.auto_calibration. */
Datum
ssdpar_sql_auto_calibrations(PG_FUNCTION_ARGS)
{
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	SsdparRecord record;

	ssdpar_begin_rows(fcinfo, column_types, COLUMNS);
	if (!ssdpar_records_available())
		return (Datum) 0;
	for (int i = 0; ssdpar_records_get_nth(i, &record); i++)
	{
		char	   *name = OidIsValid(record.tablespace) ?
			get_tablespace_name(record.tablespace) : NULL;

		if (name != NULL && record.outcome != SSDPAR_OUTCOME_NONE)
			put_row(result, name, &record);
	}
	return (Datum) 0;
}
