/*
 * profile_json.c
 *		Device profiles as JSON: checked when it is read, the same when it is
 *		written and read again.
 *
 * Tables say what the objects of a profile hold: the names of the members,
 * their types, and the values that they can have.  A member that no table names
 * is ignored.  Texts are ASCII, because databases may differ in their
 * encodings.
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

/* More than any sweep has: a thousand at most. */
#define POINTS_MAX 2048

/* Far beyond what can be measured, and near enough to be calculated with. */
#define TINY 1e-12
#define LARGE 1e18

static const char *const operations[] = {"read", "write", NULL};
static const char *const patterns[] = {
	"random", "sequential", SSDPAR_STREAMS, NULL
};

typedef struct Field
{
	const char *name;
	Oid			type;
	bool		nullable;
	double		least;			/* of a number; of a text, its length */
	double		most;			/* likewise */
	const char *const *words;	/* of a text: those that it can be, or NULL */
} Field;

#define END {NULL, InvalidOid, false, 0, 0, NULL}

/* Each table ends with a field without a name. */
static const Field document_fields[] = {
	{"file_size", INT8OID, false, 1, LARGE, NULL},
	{"seconds", FLOAT8OID, false, TINY, LARGE, NULL},
	{"engine_version", TEXTOID, false, 0, 31, NULL},
	{"server_version", TEXTOID, true, 0, 127, NULL},
	{"version", INT4OID, false, 1, 1, NULL},
	{"measured_at", TIMESTAMPTZOID, false, 0, 0, NULL},
	END
};

static const Field device_fields[] = {
	{"identity", TEXTOID, false, 1, 774, NULL},
	{"disk", TEXTOID, true, 0, 63, NULL},
	{"model", TEXTOID, true, 0, 127, NULL},
	{"size_bytes", INT8OID, true, 0, LARGE, NULL},
	{"rotational", BOOLOID, true, 0, 0, NULL},
	{"file_system", TEXTOID, true, 0, 31, NULL},
	{"read_ahead_kb", INT4OID, true, 0, INT_MAX, NULL},
	END
};

/* Given are all or none: what counts is the ratios of these times. */
static const Field machine_fields[] = {
	{"cores", FLOAT8OID, true, 1, 1e6, NULL},
	{"cost_unit_seconds", FLOAT8OID, true, TINY, 1, NULL},
	{"page_hit_seconds", FLOAT8OID, true, TINY, 1, NULL},
	{"page_copy_seconds", FLOAT8OID, true, TINY, 1, NULL},
	{"page_fill_seconds", FLOAT8OID, true, TINY, 1, NULL},
	{"page_stream_seconds", FLOAT8OID, true, TINY, 1, NULL},
	END
};

/* The first four are a point's key. */
static const Field point_fields[] = {
	{"operation", TEXTOID, false, 0, 7, operations},
	{"pattern", TEXTOID, false, 0, 15, patterns},
	{"request_size", INT4OID, false, 1, INT_MAX, NULL},
	{"queue_depth", INT4OID, false, 1, INT_MAX, NULL},
	{"iops", FLOAT8OID, false, TINY, LARGE, NULL},
	{"bytes_per_second", FLOAT8OID, false, TINY, LARGE, NULL},
	{"latency_p50", FLOAT8OID, false, TINY, LARGE, NULL},
	{"latency_p99", FLOAT8OID, false, TINY, LARGE, NULL},
	{"spread", FLOAT8OID, false, 0, LARGE, NULL},
	{"passes", INT4OID, false, 1, INT_MAX, NULL},
	END
};

/* What is not known of the server there is 0. */
static const Field link_fields[] = {
	{"address", TEXTOID, false, 1, SSDPAR_ADDRESS_SIZE - 1, NULL},
	{"measured_at", TIMESTAMPTZOID, false, 0, 0, NULL},
	{"latency_seconds", FLOAT8OID, false, DBL_MIN, DBL_MAX, NULL},
	{"bytes_per_second", FLOAT8OID, false, DBL_MIN, DBL_MAX, NULL},
	{"device_bytes_per_second", FLOAT8OID, false, 0, DBL_MAX, NULL},
	{"cost_unit_seconds", FLOAT8OID, false, 0, DBL_MAX, NULL},
	END
};

/* ----- looking up ----- */

/* False if there is no such member or it is null. */
static bool
find(JsonbContainer *object, const char *name, JsonbValue *value)
{
	return getKeyJsonValueFromContainer(object, name, strlen(name),
										value) != NULL &&
		value->type != jbvNull;
}

JsonbContainer *
ssdpar_json_child(JsonbContainer *object, const char *name)
{
	JsonbValue	value;

	return find(object, name, &value) && value.type == jbvBinary ?
		value.val.binary.data : NULL;
}

char *
ssdpar_json_text(JsonbContainer *object, const char *name)
{
	JsonbValue	value;

	if (!find(object, name, &value) || value.type != jbvString)
		return NULL;
	return pnstrdup(value.val.string.val, value.val.string.len);
}

static double
number_of(const JsonbValue *value)
{
	Datum		number;

	if (value->type != jbvNumeric)
		return NAN;
	number = DirectFunctionCall1(numeric_float8_no_overflow,
								 NumericGetDatum(value->val.numeric));
	return DatumGetFloat8(number);
}

double
ssdpar_json_number(JsonbContainer *object, const char *name)
{
	JsonbValue	value;

	return find(object, name, &value) ? number_of(&value) : NAN;
}

/* ----- checking ----- */

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
	double		number = number_of(value);

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
	if (field->type == TEXTOID && strlen(text) > field->most)
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
write_time(TimestampTz time, StringInfo out)
{
	const int	utc = 0;
	char		text[MAXDATELEN + 1];

	JsonEncodeDateTime(text, TimestampTzGetDatum(time), TIMESTAMPTZOID, &utc);
	appendStringInfo(out, "\"%s\"", text);
}

static void
write_double(double number, StringInfo out)
{
	char		text[DOUBLE_SHORTEST_DECIMAL_LEN];

	(void) double_to_shortest_decimal_buf(number, text);
	appendStringInfoString(out, text);
}

/* Writes the value as well, unless OUT is NULL. */
static void
take_value(const Field *field, const char *where, const JsonbValue *value,
		   StringInfo out)
{
	double		number;
	char	   *text;
	TimestampTz time;

	switch (field->type)
	{
		case TEXTOID:
			text = take_text(field, where, value);
			if (out != NULL)
				escape_json(out, text);
			break;
		case BOOLOID:
			if (value->type != jbvBool)
				refuse(where, field->name, "It must be true or false.");
			if (out != NULL)
				appendStringInfoString(out, value->val.boolean ?
									   "true" : "false");
			break;
		case TIMESTAMPTZOID:
			time = take_time(field, where, value);
			if (out != NULL)
				write_time(time, out);
			break;
		default:
			number = take_number(field, where, value);
			if (out != NULL && field->type == FLOAT8OID)
				write_double(number, out);
			else if (out != NULL)
				appendStringInfo(out, INT64_FORMAT, (int64) number);
			break;
	}
}

/*
 * Checks the members of an object, and writes them unless OUT is NULL.  An
 * object that is not there is one without members.  Returns how many there are.
 */
static int
take_members(const Field *fields, JsonbContainer *object, const char *where,
			 StringInfo out)
{
	int			given = 0;

	for (const Field *field = fields; field->name != NULL; field++)
	{
		JsonbValue	value;
		bool		found = object != NULL &&
			find(object, field->name, &value);

		if (!found && !field->nullable)
			refuse_missing(where, field->name);
		if (out != NULL)
			appendStringInfo(out, "%s\"%s\": ", field == fields ? "" : ", ",
							 field->name);
		if (found)
			take_value(field, where, &value, out);
		else if (out != NULL)
			appendStringInfoString(out, "null");
		given += found;
	}
	return given;
}

typedef struct PointKey
{
	const char *operation;		/* of operations */
	const char *pattern;		/* of patterns */
	double		request_size;
	double		queue_depth;
} PointKey;

typedef struct PointKeys
{
	int			count;
	PointKey	keys[POINTS_MAX];
} PointKeys;

static const char *
word_of(JsonbContainer *object, const char *name, const char *const *words)
{
	char	   *text = ssdpar_json_text(object, name);

	while (strcmp(text, *words) != 0)
		words++;
	pfree(text);
	return *words;
}

/* Of a point that is checked. */
static void
add_key(PointKeys *known, JsonbContainer *point, const char *where)
{
	PointKey	key = {
		word_of(point, "operation", operations),
		word_of(point, "pattern", patterns),
		ssdpar_json_number(point, "request_size"),
		ssdpar_json_number(point, "queue_depth")
	};

	if (known->count >= POINTS_MAX)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("a device profile cannot have more than %d points",
						POINTS_MAX)));
	for (int i = 0; i < known->count; i++)
		if (known->keys[i].request_size == key.request_size &&
			known->keys[i].queue_depth == key.queue_depth &&
			known->keys[i].operation == key.operation &&
			known->keys[i].pattern == key.pattern)
			refuse(where, "", "There is a point of the same operation, "
				   "pattern, size and depth before it.");
	known->keys[known->count++] = key;
}

static void
check_points(JsonbContainer *document, const char *name, PointKeys *known)
{
	JsonbContainer *array = find_container(document, "", name, true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < count; i++)
	{
		char	   *where = psprintf("%s[%d]", name, i);
		JsonbContainer *point = get_element(array, i, where);

		CHECK_FOR_INTERRUPTS();
		(void) take_members(point_fields, point, psprintf("%s.", where),
							NULL);
		add_key(known, point, where);
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

void
ssdpar_profile_check(JsonbContainer *document)
{
	PointKeys  *known = palloc_object(PointKeys);
	JsonbContainer *device;
	JsonbContainer *machine;
	int			given;

	if (!has_format(document, PROFILE_FORMAT))
		ereport(ERROR,
				(errcode(ERRCODE_INVALID_PARAMETER_VALUE),
				 errmsg("this is no device profile"),
				 errdetail("A device profile is a JSON object whose "
						   "\"format\" is \"%s\".", PROFILE_FORMAT),
				 errhint("ssdpar-probe --json and ssdpar.profile_document() "
						 "make one.")));
	(void) take_members(document_fields, document, "", NULL);
	device = find_container(document, "", "device", false);
	(void) take_members(device_fields, device, "device.", NULL);
	machine = find_container(document, "", "machine", false);
	given = take_members(machine_fields, machine, "machine.", NULL);
	if (given != 0 && given != lengthof(machine_fields) - 1)
		refuse("", "machine",
			   "All CPU times of a machine must be given, or none.");
	known->count = 0;
	check_points(document, "points", known);
	check_points(document, "streams", known);
	pfree(known);
}

/* ----- the file ----- */

static void
take_profiles(JsonbContainer *file, SsdparStored *stored)
{
	static const Field oid = {"tablespace", INT8OID, false, 1, OID_MAX, NULL};
	JsonbContainer *array = find_container(file, "", "profiles", true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < count; i++)
	{
		char	   *where = psprintf("profiles[%d]", i);
		JsonbContainer *entry = get_element(array, i, where);
		JsonbContainer *document;
		JsonbValue	tablespace;

		if (!find(entry, oid.name, &tablespace))
			refuse_missing(where, oid.name);
		take_value(&oid, where, &tablespace, NULL);
		document = find_container(entry, where, "profile", false);
		if (document == NULL)
			refuse_missing(where, "profile");
		ssdpar_profile_check(document);
		if (ssdpar_stored_find(stored, (Oid) number_of(&tablespace)) != NULL)
			refuse("", "tablespace", "It has a profile already.");
		ssdpar_stored_add(stored, (Oid) number_of(&tablespace), document);
	}
}

static SsdparStoredLink *
make_link(JsonbContainer *object)
{
	SsdparStoredLink *link = palloc0_object(SsdparStoredLink);
	JsonbValue	time;

	(void) find(object, "measured_at", &time);
	link->measured_at = take_time(&link_fields[1], "", &time);
	link->latency_seconds = ssdpar_json_number(object, "latency_seconds");
	link->bytes_per_second = ssdpar_json_number(object, "bytes_per_second");
	link->device_bytes_per_second =
		ssdpar_json_number(object, "device_bytes_per_second");
	link->cost_unit_seconds = ssdpar_json_number(object, "cost_unit_seconds");
	strlcpy(link->address, ssdpar_json_text(object, "address"),
			sizeof(link->address));
	return link;
}

static void
take_links(JsonbContainer *file, SsdparStored *stored)
{
	JsonbContainer *array = find_container(file, "", "links", true);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < Min(count, SSDPAR_LINKS_MAX); i++)
	{
		char	   *where = psprintf("links[%d].", i);
		JsonbContainer *object = get_element(array, i, where);
		SsdparStoredLink *link;

		(void) take_members(link_fields, object, where, NULL);
		link = make_link(object);
		if (ssdpar_stored_find_link(stored, link->address) == NULL)
			stored->links = lappend(stored->links, link);
	}
}

void
ssdpar_stored_from_json(const char *text, SsdparStored *stored)
{
	Datum		value = DirectFunctionCall1(jsonb_in, CStringGetDatum(text));
	JsonbContainer *file = &DatumGetJsonbP(value)->root;
	static const Field version[] = {
		{"version", INT4OID, false, 1, INT_MAX, NULL}, END
	};

	if (!has_format(file, FILE_FORMAT))
		ereport(ERROR,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("its \"format\" is not \"%s\"", FILE_FORMAT)));
	(void) take_members(version, file, "", NULL);
	if (ssdpar_json_number(file, "version") != FILE_VERSION)
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("it is of a newer version of ssdpar")));
	take_profiles(file, stored);
	take_links(file, stored);
}

/* Those of one array that are streams, or that are not. */
static void
write_points(JsonbContainer *document, const char *name, bool streams,
			 bool *first, StringInfo out)
{
	JsonbContainer *array = ssdpar_json_child(document, name);
	int			count = array == NULL ? 0 : JsonContainerSize(array);

	for (int i = 0; i < count; i++)
	{
		JsonbContainer *point = get_element(array, i, name);

		if ((strcmp(ssdpar_json_text(point, "pattern"),
					SSDPAR_STREAMS) == 0) != streams)
			continue;
		appendStringInfoString(out, *first ? "\n{" : ",\n{");
		*first = false;
		(void) take_members(point_fields, point, "", out);
		appendStringInfoChar(out, '}');
	}
}

static void
write_array(JsonbContainer *document, bool streams, StringInfo out)
{
	bool		first = true;

	appendStringInfo(out, ",\n\"%s\": [", streams ? "streams" : "points");
	write_points(document, "points", streams, &first, out);
	write_points(document, "streams", streams, &first, out);
	appendStringInfoChar(out, ']');
}

void
ssdpar_profile_to_json(JsonbContainer *document, StringInfo out)
{
	appendStringInfo(out, "{\"format\": \"%s\", ", PROFILE_FORMAT);
	(void) take_members(document_fields, document, "", out);
	appendStringInfoString(out, ",\n\"device\": {");
	(void) take_members(device_fields, ssdpar_json_child(document, "device"),
						"", out);
	appendStringInfoString(out, "},\n\"machine\": {");
	(void) take_members(machine_fields, ssdpar_json_child(document, "machine"),
						"", out);
	appendStringInfoChar(out, '}');
	write_array(document, false, out);
	write_array(document, true, out);
	appendStringInfoChar(out, '}');
}

static void
write_link(const SsdparStoredLink *link, StringInfo out)
{
	appendStringInfoString(out, "{\"address\": ");
	escape_json(out, link->address);
	appendStringInfoString(out, ", \"measured_at\": ");
	write_time(link->measured_at, out);
	appendStringInfoString(out, ", \"latency_seconds\": ");
	write_double(link->latency_seconds, out);
	appendStringInfoString(out, ", \"bytes_per_second\": ");
	write_double(link->bytes_per_second, out);
	appendStringInfoString(out, ", \"device_bytes_per_second\": ");
	write_double(link->device_bytes_per_second, out);
	appendStringInfoString(out, ", \"cost_unit_seconds\": ");
	write_double(link->cost_unit_seconds, out);
	appendStringInfoChar(out, '}');
}

void
ssdpar_stored_to_json(const SsdparStored *stored, StringInfo out)
{
	ListCell   *lc;

	appendStringInfo(out, "{\"format\": \"%s\", \"version\": %d,\n"
					 "\"profiles\": [", FILE_FORMAT, FILE_VERSION);
	foreach(lc, stored->profiles)
	{
		const SsdparStoredProfile *profile = lfirst(lc);

		appendStringInfo(out, "%s\n{\"tablespace\": %u, \"profile\": ",
						 foreach_current_index(lc) == 0 ? "" : ",",
						 profile->tablespace);
		ssdpar_profile_to_json(profile->document, out);
		appendStringInfoChar(out, '}');
	}
	appendStringInfoString(out, "],\n\"links\": [");
	foreach(lc, stored->links)
	{
		appendStringInfoString(out, foreach_current_index(lc) == 0 ?
							   "\n" : ",\n");
		write_link(lfirst(lc), out);
	}
	appendStringInfoString(out, "]}\n");
}

/* ----- what was read ----- */

JsonbContainer *
ssdpar_stored_find(const SsdparStored *stored, Oid tablespace)
{
	ListCell   *lc;

	foreach(lc, stored->profiles)
	{
		const SsdparStoredProfile *profile = lfirst(lc);

		if (profile->tablespace == tablespace)
			return profile->document;
	}
	return NULL;
}

void
ssdpar_stored_add(SsdparStored *stored, Oid tablespace,
				  JsonbContainer *document)
{
	SsdparStoredProfile *profile = palloc_object(SsdparStoredProfile);

	profile->tablespace = tablespace;
	profile->document = document;
	stored->profiles = lappend(stored->profiles, profile);
}

bool
ssdpar_stored_remove(SsdparStored *stored, Oid tablespace)
{
	ListCell   *lc;

	foreach(lc, stored->profiles)
	{
		const SsdparStoredProfile *profile = lfirst(lc);

		if (profile->tablespace == tablespace)
		{
			stored->profiles = foreach_delete_current(stored->profiles, lc);
			return true;
		}
	}
	return false;
}

SsdparStoredLink *
ssdpar_stored_find_link(const SsdparStored *stored, const char *address)
{
	ListCell   *lc;

	foreach(lc, stored->links)
	{
		SsdparStoredLink *link = lfirst(lc);

		if (strcmp(link->address, address) == 0)
			return link;
	}
	return NULL;
}
