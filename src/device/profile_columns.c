/*
 * profile_columns.c
 *		The columns of ssdpar.device and ssdpar.device_profile: rows become
 *		records of the profile file, checked, and records rows.
 *
 * A row has the tablespace's name where the record has its OID.  What is
 * checked keeps nonsense out that is seen at first sight; whether a profile can
 * be planned by is found when it is read (interpolate.c, machine.c).  Texts are
 * ASCII: databases may differ in their encodings.
 */
#include "postgres.h"

#include <math.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "commands/tablespace.h"
#include "common/string.h"
#include "utils/builtins.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "device/profile_columns.h"

#define PATTERN_VERDICT "pattern"

/* Far beyond what can be measured, and near enough to be reckoned with. */
#define LEAST_POSITIVE 1e-12
#define MOST_POSITIVE 1e18

/* What a value has to be. */
typedef enum Condition
{
	ANY,
	NOT_NEGATIVE,
	POSITIVE,
	NOT_EMPTY,
	OPERATION,
	PATTERN,
	KNOWN_DOCUMENT,
	SHARE,
	VERDICT,
	MAPPING,
} Condition;

static const char *const demands[] = {
	[ANY] = "",
	[NOT_NEGATIVE] = "It must be a number from 0 to 1e18.",
	[POSITIVE] = "It must be a number from 1e-12 to 1e18.",
	[NOT_EMPTY] = "It must not be empty.",
	[OPERATION] = "It must be read or write.",
	[PATTERN] = "It must be random, sequential or streams.",
	[KNOWN_DOCUMENT] = "This version of ssdpar knows only 1.",
	[SHARE] = "It must be positive and at most 1.",
	[VERDICT] = "It must be none, unclear or pattern.",
	[MAPPING] = "It must be static or write order.",
};

/* A NAME is the tablespace's. */
typedef struct Column
{
	const char *name;
	Oid			type;
	bool		nullable;
	Condition	condition;
	Size		offset;
	Size		size;
} Column;

#define COLUMN(record, field, type, nullable, condition) \
	{#field, type, nullable, condition, offsetof(record, field), \
	 sizeof(((record *) NULL)->field)}
#define DEVICE(field, type, nullable, condition) \
	COLUMN(SsdparStoredDevice, field, type, nullable, condition)
#define POINT(field, type, condition) \
	COLUMN(SsdparStoredPoint, field, type, false, condition)

static const Column device_columns[SSDPAR_DEVICE_COLUMNS] = {
	DEVICE(tablespace, NAMEOID, false, ANY),
	DEVICE(identity, TEXTOID, false, NOT_EMPTY),
	DEVICE(disk, TEXTOID, true, ANY),
	DEVICE(model, TEXTOID, true, ANY),
	DEVICE(size_bytes, INT8OID, true, NOT_NEGATIVE),
	DEVICE(rotational, BOOLOID, true, ANY),
	DEVICE(file_system, TEXTOID, true, ANY),
	DEVICE(read_ahead_kb, INT4OID, true, NOT_NEGATIVE),
	DEVICE(scratch_bytes, INT8OID, false, POSITIVE),
	DEVICE(seconds, FLOAT8OID, false, POSITIVE),
	DEVICE(engine_version, TEXTOID, false, ANY),
	DEVICE(server_version, TEXTOID, false, ANY),
	DEVICE(document_version, INT4OID, false, KNOWN_DOCUMENT),
	DEVICE(calibrated_at, TIMESTAMPTZOID, false, ANY),
	DEVICE(cores, FLOAT8OID, true, ANY),
	DEVICE(cost_unit_seconds, FLOAT8OID, true, ANY),
	DEVICE(page_hit_seconds, FLOAT8OID, true, ANY),
	DEVICE(page_copy_seconds, FLOAT8OID, true, ANY),
	DEVICE(page_fill_seconds, FLOAT8OID, true, ANY),
	DEVICE(page_stream_seconds, FLOAT8OID, true, ANY),
	DEVICE(jit_load_seconds, FLOAT8OID, true, ANY),
	DEVICE(jit_function_seconds, FLOAT8OID, true, ANY),
	DEVICE(jit_optimized_seconds, FLOAT8OID, true, ANY),
	DEVICE(memory_access_seconds, FLOAT8OID, true, ANY),
	DEVICE(cache_bytes, INT8OID, true, ANY),
	DEVICE(inside_verdict, TEXTOID, true, VERDICT),
	DEVICE(inside_chunk_bytes, INT4OID, true, POSITIVE),
	DEVICE(inside_degree, INT4OID, true, POSITIVE),
	DEVICE(inside_subdomains, INT4OID, true, POSITIVE),
	DEVICE(inside_confidence, FLOAT8OID, true, SHARE),
	DEVICE(inside_mapping, TEXTOID, true, MAPPING),
	DEVICE(inside_mapping_confidence, FLOAT8OID, true, SHARE),
	DEVICE(inside_probed_at, TIMESTAMPTZOID, true, ANY),
};

static const Column point_columns[SSDPAR_POINT_COLUMNS] = {
	POINT(tablespace, NAMEOID, ANY),
	POINT(operation, TEXTOID, OPERATION),
	POINT(pattern, TEXTOID, PATTERN),
	POINT(request_size, INT4OID, POSITIVE),
	POINT(queue_depth, INT4OID, POSITIVE),
	POINT(iops, FLOAT8OID, POSITIVE),
	POINT(bytes_per_second, FLOAT8OID, POSITIVE),
	POINT(latency_p50, FLOAT8OID, POSITIVE),
	POINT(latency_p99, FLOAT8OID, POSITIVE),
	POINT(spread, FLOAT8OID, NOT_NEGATIVE),
	POINT(passes, INT4OID, POSITIVE),
};

static void
refuse(const Column *column, const char *demand)
{
	ereport(ERROR,
			(errcode(ERRCODE_CHECK_VIOLATION),
			 errmsg("a device profile cannot have this value of \"%s\"",
					column->name),
			 errdetail("%s", demand)));
}

static void
check_number(const Column *column, double number)
{
	bool		good = true;

	if (column->condition == POSITIVE)
		good = number >= LEAST_POSITIVE && number <= MOST_POSITIVE;
	else if (column->condition == NOT_NEGATIVE)
		good = number >= 0.0 && number <= MOST_POSITIVE;
	else if (column->condition == KNOWN_DOCUMENT)
		good = number == 1.0;
	else if (column->condition == SHARE)
		good = number > 0.0 && number <= 1.0;
	if (!good)
		refuse(column, demands[column->condition]);
}

static void
check_text(const Column *column, const char *text)
{
	bool		good = true;

	if (column->condition == NOT_EMPTY)
		good = text[0] != '\0';
	else if (column->condition == OPERATION)
		good = strcmp(text, "read") == 0 || strcmp(text, "write") == 0;
	else if (column->condition == PATTERN)
		good = strcmp(text, "random") == 0 ||
			strcmp(text, "sequential") == 0 ||
			strcmp(text, SSDPAR_STREAMS) == 0;
	else if (column->condition == VERDICT)
		good = strcmp(text, "none") == 0 || strcmp(text, "unclear") == 0 ||
			strcmp(text, PATTERN_VERDICT) == 0;
	else if (column->condition == MAPPING)
		good = strcmp(text, "static") == 0 || strcmp(text, "write order") == 0;
	if (!good)
		refuse(column, demands[column->condition]);
	if (strlen(text) >= column->size)
		refuse(column, "It is too long.");
	if (!pg_is_ascii(text))
		refuse(column, "It must be ASCII.");
}

static void
put_value(const Column *column, Datum value, char *field)
{
	char	   *string;

	switch (column->type)
	{
		case NAMEOID:
			*(Oid *) field =
				get_tablespace_oid(NameStr(*DatumGetName(value)), false);
			break;
		case TEXTOID:
			string = TextDatumGetCString(value);
			check_text(column, string);
			strlcpy(field, string, column->size);
			break;
		case BOOLOID:
			*(bool *) field = DatumGetBool(value);
			break;
		case INT4OID:
			*(int32 *) field = DatumGetInt32(value);
			check_number(column, *(int32 *) field);
			break;
		case FLOAT8OID:
			*(double *) field = DatumGetFloat8(value);
			check_number(column, *(double *) field);
			break;
		case INT8OID:
			*(int64 *) field = DatumGetInt64(value);
			check_number(column, (double) *(int64 *) field);
			break;
		case TIMESTAMPTZOID:
			*(int64 *) field = DatumGetTimestampTz(value);
			if (TIMESTAMP_NOT_FINITE(*(int64 *) field))
				refuse(column, "It must be a finite time.");
			break;
	}
}

static Datum
get_value(const Column *column, const char *field)
{
	switch (column->type)
	{
		case TEXTOID:
			return CStringGetTextDatum(field);
		case BOOLOID:
			return BoolGetDatum(*(const bool *) field);
		case INT4OID:
			return Int32GetDatum(*(const int32 *) field);
		case FLOAT8OID:
			return Float8GetDatum(*(const double *) field);
		case INT8OID:
			return Int64GetDatum(*(const int64 *) field);
		default:
			Assert(column->type == TIMESTAMPTZOID);
			return TimestampTzGetDatum(*(const int64 *) field);
	}
}

/* Anyone who may alter the extension's views could have. */
static void
check_columns(TupleDesc row, const Column *columns, int ncolumns)
{
	bool		good = row->natts >= ncolumns;

	for (int i = 0; i < ncolumns && good; i++)
		good = TupleDescAttr(row, i)->atttypid == columns[i].type;
	if (!good)
		ereport(ERROR,
				(errcode(ERRCODE_DATATYPE_MISMATCH),
				 errmsg("the row is not one of a device profile"),
				 errhint("If a view of schema ssdpar has been altered, drop "
						 "the extension and create it again.")));
}

static void
from_row(HeapTuple row, TupleDesc descriptor, const Column *columns,
		 int ncolumns, char *record, uint64 *null_bits)
{
	Datum	   *values = palloc_array(Datum, descriptor->natts);
	bool	   *nulls = palloc_array(bool, descriptor->natts);

	check_columns(descriptor, columns, ncolumns);
	heap_deform_tuple(row, descriptor, values, nulls);
	for (int i = 0; i < ncolumns; i++)
	{
		if (!nulls[i])
			put_value(&columns[i], values[i], record + columns[i].offset);
		else if (columns[i].nullable)
			*null_bits |= UINT64CONST(1) << i;
		else
			ereport(ERROR,
					(errcode(ERRCODE_NOT_NULL_VIOLATION),
					 errmsg("a device profile cannot do without \"%s\"",
							columns[i].name)));
	}
	pfree(values);
	pfree(nulls);
}

/* What stands in a null column is left alone. */
static bool
to_row(const char *record, uint64 null_bits, const Column *columns,
	   int ncolumns, Datum *values, bool *nulls)
{
	const Oid  *tablespace = (const Oid *) (record + columns[0].offset);
	char	   *name = get_tablespace_name(*tablespace);

	if (name == NULL)
		return false;
	nulls[0] = false;
	values[0] = DirectFunctionCall1(namein, CStringGetDatum(name));
	for (int i = 1; i < ncolumns; i++)
	{
		nulls[i] = (null_bits & (UINT64CONST(1) << i)) != 0;
		values[i] = nulls[i] ? (Datum) 0 :
			get_value(&columns[i], record + columns[i].offset);
	}
	return true;
}

static bool
is_given(const SsdparStoredDevice *device, SsdparDeviceColumn column)
{
	return (device->nulls & ssdpar_device_bit(column)) == 0;
}

/* What a pattern is made of is there with one, and nothing is without one. */
static void
check_inside(const SsdparStoredDevice *device)
{
	bool		probed = is_given(device, SSDPAR_DEVICE_INSIDE_VERDICT);
	bool		pattern = probed &&
		strcmp(device->inside_verdict, PATTERN_VERDICT) == 0;

	if (is_given(device, SSDPAR_DEVICE_INSIDE_CHUNK_BYTES) != pattern ||
		is_given(device, SSDPAR_DEVICE_INSIDE_DEGREE) != pattern ||
		is_given(device, SSDPAR_DEVICE_INSIDE_CONFIDENCE) != pattern ||
		is_given(device, SSDPAR_DEVICE_INSIDE_PROBED_AT) != probed ||
		(is_given(device, SSDPAR_DEVICE_INSIDE_SUBDOMAINS) && !pattern) ||
		(is_given(device, SSDPAR_DEVICE_INSIDE_MAPPING) && !pattern) ||
		is_given(device, SSDPAR_DEVICE_INSIDE_MAPPING_CONFIDENCE) !=
		is_given(device, SSDPAR_DEVICE_INSIDE_MAPPING))
		refuse(&device_columns[SSDPAR_DEVICE_INSIDE_VERDICT],
			   "A pattern has chunk, degree and confidence, and without one "
			   "there is nothing to be said.");
}

void
ssdpar_device_from_row(HeapTuple row, TupleDesc columns,
					   SsdparStoredDevice *device)
{
	memset(device, 0, sizeof(*device));
	from_row(row, columns, device_columns, SSDPAR_DEVICE_COLUMNS,
			 (char *) device, &device->nulls);
	check_inside(device);
}

void
ssdpar_point_from_row(HeapTuple row, TupleDesc columns,
					  SsdparStoredPoint *point)
{
	uint64		nulls = 0;

	memset(point, 0, sizeof(*point));
	from_row(row, columns, point_columns, SSDPAR_POINT_COLUMNS,
			 (char *) point, &nulls);
	Assert(nulls == 0);
}

bool
ssdpar_device_to_row(const SsdparStoredDevice *device, Datum *values,
					 bool *nulls)
{
	return to_row((const char *) device, device->nulls, device_columns,
				  SSDPAR_DEVICE_COLUMNS, values, nulls);
}

bool
ssdpar_point_to_row(const SsdparStoredPoint *point, Datum *values,
					bool *nulls)
{
	return to_row((const char *) point, point->nulls, point_columns,
				  SSDPAR_POINT_COLUMNS, values, nulls);
}

void
ssdpar_device_copy_columns(const SsdparStoredDevice *from,
						   SsdparStoredDevice *to, SsdparDeviceColumn first,
						   SsdparDeviceColumn last)
{
	for (int i = first; i <= (int) last; i++)
	{
		const Column *column = &device_columns[i];
		uint64		bit = ssdpar_device_bit(i);

		memcpy((char *) to + column->offset,
			   (const char *) from + column->offset, column->size);
		to->nulls = (to->nulls & ~bit) | (from->nulls & bit);
	}
}

void
ssdpar_device_types(Oid types[SSDPAR_DEVICE_COLUMNS])
{
	for (int i = 0; i < SSDPAR_DEVICE_COLUMNS; i++)
		types[i] = device_columns[i].type;
}

void
ssdpar_point_types(Oid types[SSDPAR_POINT_COLUMNS])
{
	for (int i = 0; i < SSDPAR_POINT_COLUMNS; i++)
		types[i] = point_columns[i].type;
}
