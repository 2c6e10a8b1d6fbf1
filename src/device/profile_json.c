/*
 * profile_json.c
 *		Device profiles as JSON: checked when it is read, the same when it is
 *		written and read again.
 *
 * Three tables say what a profile, a point and a link hold: where it is, its
 * type, and the values that it can have.  A member that no table names is
 * ignored.  Texts are ASCII, because databases may differ in their encodings.
 */
#include "postgres.h"

#include <float.h>
#include <math.h>

#include "catalog/pg_type.h"
#include "common/shortest_dec.h"
#include "common/string.h"
#include "miscadmin.h"
#include "utils/builtins.h"
#include "utils/datetime.h"
#include "utils/json.h"
#include "utils/numeric.h"
#include "utils/timestamp.h"

#include "base/compat.h"
#include "device/profile_json.h"

/* What ssdpar-probe --json calls its documents. */
#define PROFILE_FORMAT "ssdpar-probe"

#define FILE_FORMAT "ssdpar-profiles"
#define FILE_VERSION 1

/* Far beyond what can be measured, and near enough to be calculated with. */
#define TINY 1e-12
#define LARGE 1e18

/* Where a member of a profile is. */
typedef enum Section
{
	DOCUMENT,
	DEVICE,
	MACHINE,
	NOWHERE,					/* it is not in the document */
} Section;

static const char *const section_names[] = {"", "device", "machine"};

static const char *const operations[] = {"read", "write", NULL};
static const char *const patterns[] = {
	"random", "sequential", SSDPAR_STREAMS, NULL
};

typedef struct Field
{
	Section		section;
	const char *name;
	Oid			type;
	bool		nullable;
	double		least;			/* of a number; of a text, its length */
	double		most;			/* of a number */
	const char *const *words;	/* of a text: those that it can be, or NULL */
	Size		offset;
	Size		size;
} Field;

#define PLACE(record, field) \
	offsetof(record, field), sizeof(((record *) NULL)->field)
#define MEMBER(section, name, type, nullable, least, most, words, field) \
	{section, name, type, nullable, least, most, words, \
	 PLACE(SsdparStoredDevice, field)}
#define POINT(name, type, least, most, words) \
	{DOCUMENT, #name, type, false, least, most, words, \
	 PLACE(SsdparStoredPoint, name)}
#define LINK(name, type, nullable, least, most) \
	{DOCUMENT, #name, type, nullable, least, most, NULL, \
	 PLACE(SsdparStoredLink, name)}

/* In the order of SsdparDeviceColumn. */
static const Field device_fields[SSDPAR_DEVICE_COLUMNS] = {
	MEMBER(NOWHERE, "tablespace", OIDOID, false, 0, 0, NULL, tablespace),
	MEMBER(DEVICE, "identity", TEXTOID, false, 1, 0, NULL, identity),
	MEMBER(DEVICE, "disk", TEXTOID, true, 0, 0, NULL, disk),
	MEMBER(DEVICE, "model", TEXTOID, true, 0, 0, NULL, model),
	MEMBER(DEVICE, "size_bytes", INT8OID, true, 0, LARGE, NULL, size_bytes),
	MEMBER(DEVICE, "rotational", BOOLOID, true, 0, 0, NULL, rotational),
	MEMBER(DEVICE, "file_system", TEXTOID, true, 0, 0, NULL, file_system),
	MEMBER(DEVICE, "read_ahead_kb", INT4OID, true, 0, INT_MAX, NULL,
		   read_ahead_kb),
	MEMBER(DOCUMENT, "file_size", INT8OID, false, 1, LARGE, NULL,
		   scratch_bytes),
	MEMBER(DOCUMENT, "seconds", FLOAT8OID, false, TINY, LARGE, NULL, seconds),
	MEMBER(DOCUMENT, "engine_version", TEXTOID, false, 0, 0, NULL,
		   engine_version),
	MEMBER(DOCUMENT, "server_version", TEXTOID, true, 0, 0, NULL,
		   server_version),
	MEMBER(DOCUMENT, "version", INT4OID, false, 1, 1, NULL, document_version),
	MEMBER(DOCUMENT, "measured_at", TIMESTAMPTZOID, false, 0, 0, NULL,
		   calibrated_at),
	MEMBER(MACHINE, "cores", FLOAT8OID, true, 1, 1e6, NULL, cores),
	MEMBER(MACHINE, "cost_unit_seconds", FLOAT8OID, true, TINY, 1, NULL,
		   cost_unit_seconds),
	MEMBER(MACHINE, "page_hit_seconds", FLOAT8OID, true, TINY, 1, NULL,
		   page_hit_seconds),
	MEMBER(MACHINE, "page_copy_seconds", FLOAT8OID, true, TINY, 1, NULL,
		   page_copy_seconds),
	MEMBER(MACHINE, "page_fill_seconds", FLOAT8OID, true, TINY, 1, NULL,
		   page_fill_seconds),
	MEMBER(MACHINE, "page_stream_seconds", FLOAT8OID, true, TINY, 1, NULL,
		   page_stream_seconds),
};

static const Field point_fields[] = {
	POINT(operation, TEXTOID, 0, 0, operations),
	POINT(pattern, TEXTOID, 0, 0, patterns),
	POINT(request_size, INT4OID, 1, INT_MAX, NULL),
	POINT(queue_depth, INT4OID, 1, INT_MAX, NULL),
	POINT(iops, FLOAT8OID, TINY, LARGE, NULL),
	POINT(bytes_per_second, FLOAT8OID, TINY, LARGE, NULL),
	POINT(latency_p50, FLOAT8OID, TINY, LARGE, NULL),
	POINT(latency_p99, FLOAT8OID, TINY, LARGE, NULL),
	POINT(spread, FLOAT8OID, 0, LARGE, NULL),
	POINT(passes, INT4OID, 1, INT_MAX, NULL),
};

/* What is not known of the server there is 0. */
static const Field link_fields[] = {
	LINK(address, TEXTOID, false, 1, 0),
	LINK(measured_at, TIMESTAMPTZOID, false, 0, 0),
	LINK(latency_seconds, FLOAT8OID, false, DBL_MIN, DBL_MAX),
	LINK(bytes_per_second, FLOAT8OID, false, DBL_MIN, DBL_MAX),
	LINK(device_bytes_per_second, FLOAT8OID, false, 0, DBL_MAX),
	LINK(cost_unit_seconds, FLOAT8OID, false, 0, DBL_MAX),
};

/* ----- reading ----- */

static void
refuse(const char *where, const char *name, const char *demand)
{
	ereport(ERROR,
			(errcode(ERRCODE_CHECK_VIOLATION),
			 errmsg("a device profile cannot have this value of \"%s%s\"",
					where, name),
			 errdetail("%s", demand)));
}

static void
refuse_missing(const char *where, const char *name)
{
	ereport(ERROR,
			(errcode(ERRCODE_NOT_NULL_VIOLATION),
			 errmsg("a device profile cannot do without \"%s%s\"", where,
					name)));
}

/* False if there is no such member or it is null. */
static bool
find(JsonbContainer *object, const char *name, JsonbValue *value)
{
	return getKeyJsonValueFromContainer(object, name, strlen(name),
										value) != NULL &&
		value->type != jbvNull;
}

/* An object or array within OBJECT; NULL if there is none or it is null. */
static JsonbContainer *
find_container(JsonbContainer *object, const char *where, const char *name,
			   bool array)
{
	JsonbValue	value;

	if (!find(object, name, &value))
		return NULL;
	if (value.type != jbvBinary ||
		JsonContainerIsArray(value.val.binary.data) != array)
		refuse(where, name, array ? "It must be an array." :
			   "It must be an object.");
	return value.val.binary.data;
}

/* An element of an array, which has to be an object. */
static JsonbContainer *
get_element(JsonbContainer *array, uint32 index, const char *where)
{
	JsonbValue *value = getIthJsonbValueFromContainer(array, index);

	if (value == NULL || value->type != jbvBinary ||
		!JsonContainerIsObject(value->val.binary.data))
		refuse(where, "", "It must be an object.");
	return value->val.binary.data;
}

static double
take_number(const Field *field, const char *where, const JsonbValue *value)
{
	bool		whole = field->type != FLOAT8OID;
	double		number = NAN;
	Datum		converted;

	if (value->type == jbvNumeric)
	{
		converted = DirectFunctionCall1(numeric_float8_no_overflow,
										NumericGetDatum(value->val.numeric));
		number = DatumGetFloat8(converted);
	}
	if (!(number >= field->least && number <= field->most) ||
		(whole && number != rint(number)))
		refuse(where, field->name, field->least == field->most ?
			   psprintf("It must be %.10g.", field->least) :
			   psprintf("It must be a %s from %.10g to %.10g.",
						whole ? "whole number" : "number", field->least,
						field->most));
	return number;
}

static bool
is_one_of(const char *text, const char *const *words)
{
	for (; *words != NULL; words++)
		if (strcmp(text, *words) == 0)
			return true;
	return false;
}

/* "It must be one, two or three." */
static char *
name_words(const char *const *words)
{
	StringInfoData text;

	initStringInfo(&text);
	appendStringInfo(&text, "It must be %s", words[0]);
	for (int i = 1; words[i] != NULL; i++)
		appendStringInfo(&text, "%s%s", words[i + 1] == NULL ? " or " : ", ",
						 words[i]);
	appendStringInfoChar(&text, '.');
	return text.data;
}

static char *
take_text(const Field *field, const char *where, const JsonbValue *value)
{
	char	   *text;

	if (value->type != jbvString)
		refuse(where, field->name, field->words != NULL ?
			   name_words(field->words) : "It must be a string.");
	text = pnstrdup(value->val.string.val, value->val.string.len);
	if (field->words != NULL && !is_one_of(text, field->words))
		refuse(where, field->name, name_words(field->words));
	if (text[0] == '\0' && field->least > 0)
		refuse(where, field->name, "It must not be empty.");
	if (field->type == TEXTOID && strlen(text) >= field->size)
		refuse(where, field->name, "It is too long.");
	if (!pg_is_ascii(text))
		refuse(where, field->name, "It must be ASCII.");
	return text;
}

static TimestampTz
take_time(const Field *field, const char *where, const JsonbValue *value)
{
	char	   *text = take_text(field, where, value);
	Datum		time = DirectFunctionCall3(timestamptz_in,
										   CStringGetDatum(text),
										   ObjectIdGetDatum(InvalidOid),
										   Int32GetDatum(-1));

	if (TIMESTAMP_NOT_FINITE(DatumGetTimestampTz(time)))
		refuse(where, field->name, "It must be a finite time.");
	return DatumGetTimestampTz(time);
}

static void
put_value(const Field *field, const char *where, const JsonbValue *value,
		  char *place)
{
	switch (field->type)
	{
		case TEXTOID:
			strlcpy(place, take_text(field, where, value), field->size);
			break;
		case BOOLOID:
			if (value->type != jbvBool)
				refuse(where, field->name, "It must be true or false.");
			*(bool *) place = value->val.boolean;
			break;
		case INT4OID:
			*(int32 *) place = (int32) take_number(field, where, value);
			break;
		case INT8OID:
			*(int64 *) place = (int64) take_number(field, where, value);
			break;
		case FLOAT8OID:
			*(double *) place = take_number(field, where, value);
			break;
		case TIMESTAMPTZOID:
			*(int64 *) place = take_time(field, where, value);
			break;
	}
}

/* False if it is null, which it must be able to be. */
static bool
take_field(const Field *field, JsonbContainer *object, const char *where,
		   void *record)
{
	JsonbValue	value;

	if (object != NULL && find(object, field->name, &value))
	{
		put_value(field, where, &value, (char *) record + field->offset);
		return true;
	}
	if (!field->nullable)
		refuse_missing(where, field->name);
	return false;
}

static void
take_section(JsonbContainer *document, Section section,
			 SsdparStoredDevice *device)
{
	const char *name = section_names[section];
	JsonbContainer *object = section == DOCUMENT ? document :
		find_container(document, "", name, false);
	char	   *where = section == DOCUMENT ? "" : psprintf("%s.", name);

	for (int i = 0; i < SSDPAR_DEVICE_COLUMNS; i++)
	{
		if (device_fields[i].section != section)
			continue;
		device->nulls &= ~ssdpar_device_bit(i);
		if (!take_field(&device_fields[i], object, where, device))
			device->nulls |= ssdpar_device_bit(i);
	}
}

static bool
is_given(const SsdparStoredDevice *device, SsdparDeviceColumn column)
{
	return (device->nulls & ssdpar_device_bit(column)) == 0;
}

/*
 * All or none: what counts is the ratios of these times, which some of one
 * machine and some of another would not have.
 */
static void
check_machine(const SsdparStoredDevice *device)
{
	int			given = 0;

	for (int i = SSDPAR_DEVICE_CORES;
		 i <= SSDPAR_DEVICE_PAGE_STREAM_SECONDS; i++)
		given += is_given(device, i);
	if (given != 0 && given != 6)
		refuse("", "machine",
			   "All CPU times of a machine must be given, or none.");
}

static bool
same_key(const SsdparStoredPoint *a, const SsdparStoredPoint *b)
{
	return a->request_size == b->request_size &&
		a->queue_depth == b->queue_depth &&
		strcmp(a->operation, b->operation) == 0 &&
		strcmp(a->pattern, b->pattern) == 0;
}

/* Those of this profile are the last ones of STORED, from FIRST on. */
static void
check_new_point(const SsdparStored *stored, int first, const char *where)
{
	int			last = stored->npoints - 1;

	if (last - first >= SSDPAR_STORED_POINTS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a device profile cannot have more than %d points",
						SSDPAR_STORED_POINTS_MAX)));
	for (int i = first; i < last; i++)
		if (same_key(&stored->points[i], &stored->points[last]))
			refuse(where, "", "There is a point of the same operation, "
				   "pattern, size and depth before it.");
}

/* FIRST is where the points of this profile begin in STORED. */
static void
take_points(JsonbContainer *document, const char *name, Oid tablespace,
			int first, SsdparStored *stored)
{
	JsonbContainer *array = find_container(document, "", name, true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < count; i++)
	{
		char	   *where = psprintf("%s[%d]", name, i);
		JsonbContainer *object = get_element(array, i, where);
		char	   *prefix = psprintf("%s.", where);
		SsdparStoredPoint *point = ssdpar_stored_add_point(stored);

		CHECK_FOR_INTERRUPTS();
		point->tablespace = tablespace;
		for (int j = 0; j < (int) lengthof(point_fields); j++)
			(void) take_field(&point_fields[j], object, prefix, point);
		check_new_point(stored, first, where);
	}
}

static bool
has_format(JsonbContainer *document, const char *format)
{
	JsonbValue	value;

	return JsonContainerIsObject(document) &&
		find(document, "format", &value) && value.type == jbvString &&
		value.val.string.len == (int) strlen(format) &&
		memcmp(value.val.string.val, format, value.val.string.len) == 0;
}

SsdparStoredDevice *
ssdpar_profile_from_json(JsonbContainer *document, Oid tablespace,
						 SsdparStored *stored)
{
	int			first = stored->npoints;
	SsdparStoredDevice *device;

	if (!has_format(document, PROFILE_FORMAT))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("this is no device profile"),
				 errdetail("A device profile is a JSON object whose "
						   "\"format\" is \"%s\".", PROFILE_FORMAT),
				 errhint("ssdpar-probe --json and ssdpar.profile_document() "
						 "make one.")));
	if (ssdpar_stored_find(stored, tablespace) != NULL)
		refuse("", "tablespace", "It has a profile already.");
	device = ssdpar_stored_add(stored);
	device->tablespace = tablespace;
	for (int section = DOCUMENT; section <= MACHINE; section++)
		take_section(document, section, device);
	check_machine(device);
	take_points(document, "points", tablespace, first, stored);
	take_points(document, "streams", tablespace, first, stored);
	return device;
}

void
ssdpar_device_copy_columns(const SsdparStoredDevice *from,
						   SsdparStoredDevice *to, SsdparDeviceColumn first,
						   SsdparDeviceColumn last)
{
	for (int i = first; i <= (int) last; i++)
	{
		const Field *field = &device_fields[i];
		uint64		bit = ssdpar_device_bit(i);

		memcpy((char *) to + field->offset,
			   (const char *) from + field->offset, field->size);
		to->nulls = (to->nulls & ~bit) | (from->nulls & bit);
	}
}

static void
take_profiles(JsonbContainer *file, SsdparStored *stored)
{
	static const Field oid = {
		DOCUMENT, "tablespace", INT8OID, false, 1, OID_MAX, NULL, 0, 0
	};
	JsonbContainer *array = find_container(file, "", "profiles", true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < count; i++)
	{
		char	   *where = psprintf("profiles[%d]", i);
		JsonbContainer *entry = get_element(array, i, where);
		int64		tablespace;
		JsonbContainer *document;

		(void) take_field(&oid, entry, where, &tablespace);
		document = find_container(entry, where, "profile", false);
		if (document == NULL)
			refuse_missing(where, "profile");
		(void) ssdpar_profile_from_json(document, (Oid) tablespace, stored);
	}
}

static void
take_links(JsonbContainer *file, SsdparStored *stored)
{
	JsonbContainer *array = find_container(file, "", "links", true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < Min(count, SSDPAR_STORED_LINKS_MAX); i++)
	{
		char	   *where = psprintf("links[%d].", i);
		JsonbContainer *object = get_element(array, i, where);
		SsdparStoredLink link = {0};

		for (int j = 0; j < (int) lengthof(link_fields); j++)
			(void) take_field(&link_fields[j], object, where, &link);
		if (ssdpar_stored_find_link(stored, link.address) == NULL)
			*ssdpar_stored_add_link(stored) = link;
	}
}

void
ssdpar_stored_from_json(const char *text, SsdparStored *stored)
{
	Datum		value = DirectFunctionCall1(jsonb_in, CStringGetDatum(text));
	JsonbContainer *file = &DatumGetJsonbP(value)->root;
	static const Field version = {
		DOCUMENT, "version", INT4OID, false, 1, INT_MAX, NULL, 0, 0
	};
	int32		number;

	if (!has_format(file, FILE_FORMAT))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("its \"format\" is not \"%s\"", FILE_FORMAT)));
	(void) take_field(&version, file, "", &number);
	if (number != FILE_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("it is of a newer version of ssdpar")));
	take_profiles(file, stored);
	take_links(file, stored);
}

/* ----- writing ----- */

static void
write_value(const Field *field, const char *place, StringInfo out)
{
	const int	utc = 0;
	char		text[MAXDATELEN + 1];

	switch (field->type)
	{
		case TEXTOID:
			escape_json(out, place);
			return;
		case BOOLOID:
			strlcpy(text, *(const bool *) place ? "true" : "false",
					sizeof(text));
			break;
		case INT4OID:
			snprintf(text, sizeof(text), "%d", *(const int32 *) place);
			break;
		case INT8OID:
			snprintf(text, sizeof(text), INT64_FORMAT, *(const int64 *) place);
			break;
		case FLOAT8OID:
			(void) double_to_shortest_decimal_buf(*(const double *) place,
												  text);
			break;
		case TIMESTAMPTZOID:
			text[0] = '"';
			JsonEncodeDateTime(text + 1,
							   TimestampTzGetDatum(*(const int64 *) place),
							   TIMESTAMPTZOID, &utc);
			strlcat(text, "\"", sizeof(text));
			break;
	}
	appendStringInfoString(out, text);
}

static void
write_member(const Field *field, const void *record, bool null, bool first,
			 StringInfo out)
{
	appendStringInfo(out, "%s\"%s\": ", first ? "" : ", ", field->name);
	if (null)
		appendStringInfoString(out, "null");
	else
		write_value(field, (const char *) record + field->offset, out);
}

static void
write_section(const SsdparStoredDevice *device, Section section,
			  StringInfo out)
{
	bool		first = true;

	for (int i = 0; i < SSDPAR_DEVICE_COLUMNS; i++)
	{
		if (device_fields[i].section != section)
			continue;
		write_member(&device_fields[i], device, !is_given(device, i), first,
					 out);
		first = false;
	}
}

/* An element of an array. */
static void
write_record(const void *record, const Field *fields, int nfields, bool first,
			 StringInfo out)
{
	appendStringInfoString(out, first ? "\n{" : ",\n{");
	for (int i = 0; i < nfields; i++)
		write_member(&fields[i], record, false, i == 0, out);
	appendStringInfoChar(out, '}');
}

static void
write_points(const SsdparStored *stored, Oid tablespace, bool streams,
			 StringInfo out)
{
	bool		first = true;

	for (int i = 0; i < stored->npoints; i++)
	{
		const SsdparStoredPoint *point = &stored->points[i];

		if (point->tablespace != tablespace ||
			(strcmp(point->pattern, SSDPAR_STREAMS) == 0) != streams)
			continue;
		write_record(point, point_fields, lengthof(point_fields), first, out);
		first = false;
	}
}

void
ssdpar_profile_to_json(const SsdparStored *stored,
					   const SsdparStoredDevice *device, StringInfo out)
{
	appendStringInfo(out, "{\"format\": \"%s\", ", PROFILE_FORMAT);
	write_section(device, DOCUMENT, out);
	appendStringInfoString(out, ",\n\"device\": {");
	write_section(device, DEVICE, out);
	appendStringInfoString(out, "},\n\"machine\": {");
	write_section(device, MACHINE, out);
	appendStringInfoString(out, "},\n\"points\": [");
	write_points(stored, device->tablespace, false, out);
	appendStringInfoString(out, "],\n\"streams\": [");
	write_points(stored, device->tablespace, true, out);
	appendStringInfoString(out, "]}");
}

void
ssdpar_stored_to_json(const SsdparStored *stored, StringInfo out)
{
	appendStringInfo(out, "{\"format\": \"%s\", \"version\": %d,\n"
					 "\"profiles\": [", FILE_FORMAT, FILE_VERSION);
	for (int i = 0; i < stored->ndevices; i++)
	{
		const SsdparStoredDevice *device = &stored->devices[i];

		appendStringInfo(out, "%s\n{\"tablespace\": %u, \"profile\": ",
						 i == 0 ? "" : ",", device->tablespace);
		ssdpar_profile_to_json(stored, device, out);
		appendStringInfoChar(out, '}');
	}
	appendStringInfoString(out, "],\n\"links\": [");
	for (int i = 0; i < stored->nlinks; i++)
		write_record(&stored->links[i], link_fields, lengthof(link_fields),
					 i == 0, out);
	appendStringInfoString(out, "]}\n");
}
