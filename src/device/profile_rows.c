/*
 * profile_rows.c
 *		The device profiles in SQL: what the views ssdpar.device and
 *		ssdpar.device_profile are made of, and what changing their rows does.
 *
 * Who may change them is said by the privileges on the views and on
 * ssdpar.put_profile(); the functions of the triggers may be called by no one
 * else.
 */
#include "postgres.h"

#include "access/xlog.h"
#include "commands/tablespace.h"
#include "commands/trigger.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "tcop/utility.h"
#include "utils/array.h"
#include "utils/lsyscache.h"
#include "utils/rel.h"
#include "utils/tuplestore.h"
#include "utils/typcache.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "device/device_row.h"
#include "device/profile_changes.h"
#include "device/profile_columns.h"
#include "device/profile_replace.h"

PG_FUNCTION_INFO_V1(ssdpar_sql_stored_devices);
PG_FUNCTION_INFO_V1(ssdpar_sql_stored_points);
PG_FUNCTION_INFO_V1(ssdpar_sql_device_changed);
PG_FUNCTION_INFO_V1(ssdpar_sql_point_changed);
PG_FUNCTION_INFO_V1(ssdpar_sql_put_profile);
PG_FUNCTION_INFO_V1(ssdpar_sql_lock_profiles);

/*
 * Were the rows shown last those that this transaction alone can change?  And
 * those before, in the statement: what it reads after its first change does not
 * say how it has seen the rows that it changes.
 */
static bool shown_locked = false;
static TimestampTz shown_free = 0;	/* the statement that saw others */

static SsdparProfileFile
read_to_show(void)
{
	TimestampTz statement = GetCurrentStatementStartTimestamp();

	if (!ssdpar_profiles_are_locked())
		shown_free = statement;
	shown_locked = shown_free != statement;
	return ssdpar_profiles_read();
}

/* stored_devices(): the rows of ssdpar.device. */
Datum
ssdpar_sql_stored_devices(PG_FUNCTION_ARGS)
{
	SsdparProfileFile file = read_to_show();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			types[SSDPAR_DEVICE_COLUMNS];

	ssdpar_device_types(types);
	ssdpar_begin_rows(fcinfo, types, SSDPAR_DEVICE_COLUMNS);
	if (file.problem != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("device profiles cannot be shown: %s",
						file.problem)));
	for (int i = 0; i < file.stored->ndevices; i++)
	{
		Datum		values[SSDPAR_DEVICE_COLUMNS];
		bool		nulls[SSDPAR_DEVICE_COLUMNS];

		if (ssdpar_device_to_row(&file.stored->devices[i], values, nulls))
			tuplestore_putvalues(result->setResult, result->setDesc, values,
								 nulls);
	}
	return (Datum) 0;
}

/* stored_points(): the rows of ssdpar.device_profile. */
Datum
ssdpar_sql_stored_points(PG_FUNCTION_ARGS)
{
	SsdparProfileFile file = read_to_show();
	ReturnSetInfo *result = (ReturnSetInfo *) fcinfo->resultinfo;
	Oid			types[SSDPAR_POINT_COLUMNS];

	ssdpar_point_types(types);
	ssdpar_begin_rows(fcinfo, types, SSDPAR_POINT_COLUMNS);
	for (int i = 0; i < file.stored->npoints; i++)
	{
		Datum		values[SSDPAR_POINT_COLUMNS];
		bool		nulls[SSDPAR_POINT_COLUMNS];

		if (ssdpar_point_to_row(&file.stored->points[i], values, nulls))
			tuplestore_putvalues(result->setResult, result->setDesc, values,
								 nulls);
	}
	return (Datum) 0;
}

/* Of a view, which may have got columns of a user's. */
typedef struct Row
{
	Datum	   *values;
	bool	   *nulls;
} Row;

static Row
make_row(TupleDesc columns)
{
	Row			row;

	row.values = palloc0_array(Datum, columns->natts);
	row.nulls = palloc_array(bool, columns->natts);
	memset(row.nulls, true, columns->natts * sizeof(bool));
	return row;
}

/* Is this what the view shows of it? */
static bool
is_shown_so(const SsdparStoredDevice *device, const SsdparStoredDevice *shown,
			TupleDesc columns)
{
	Row			row = make_row(columns);
	HeapTuple	tuple;
	SsdparStoredDevice again;

	if (device == NULL || !ssdpar_device_to_row(device, row.values, row.nulls))
		return false;
	tuple = heap_form_tuple(columns, row.values, row.nulls);
	ssdpar_device_from_row(tuple, columns, &again);
	return memcmp(&again, shown, sizeof(again)) == 0;
}

static bool
is_point_shown_so(const SsdparStoredPoint *point,
				  const SsdparStoredPoint *shown, TupleDesc columns)
{
	Row			row = make_row(columns);
	HeapTuple	tuple;
	SsdparStoredPoint again;

	if (point == NULL || !ssdpar_point_to_row(point, row.values, row.nulls))
		return false;
	tuple = heap_form_tuple(columns, row.values, row.nulls);
	ssdpar_point_from_row(tuple, columns, &again);
	return memcmp(&again, shown, sizeof(again)) == 0;
}

/*
 * The statement has seen its row before it held the lock.  What another
 * transaction has changed since then it would put back, unseen.  What this one
 * has changed itself, as a row that is joined twice, is its own affair.
 */
static void
check_seen(bool as_it_is, bool as_it_was)
{
	if (!as_it_is && !as_it_was && !shown_locked)
		ereport(ERROR,
				(errcode(ERRCODE_T_R_SERIALIZATION_FAILURE),
				 errmsg("the device profile was changed by another transaction meanwhile"),
				 errhint("Run the statement again.")));
}

/* What is stored of the device that it has seen; NULL: it has gone. */
static SsdparStoredDevice *
find_seen_device(const SsdparStored *stored, const SsdparStoredDevice *seen,
				 TupleDesc columns)
{
	SsdparStoredDevice *place = ssdpar_stored_find(stored, seen->tablespace);
	const SsdparStoredDevice *was;

	was = ssdpar_stored_find(ssdpar_profiles_unchanged(), seen->tablespace);
	if (place != NULL)
		check_seen(is_shown_so(place, seen, columns),
				   is_shown_so(was, seen, columns));
	return place;
}

static SsdparStoredPoint *
find_seen_point(const SsdparStored *stored, const SsdparStoredPoint *seen,
				TupleDesc columns)
{
	SsdparStoredPoint *place = ssdpar_stored_find_point(stored, seen);
	const SsdparStoredPoint *was;

	was = ssdpar_stored_find_point(ssdpar_profiles_unchanged(), seen);
	if (place != NULL)
		check_seen(is_point_shown_so(place, seen, columns),
				   is_point_shown_so(was, seen, columns));
	return place;
}

/* With another tablespace its points move. */
static void
update_device(SsdparStored *stored, SsdparStoredDevice *place,
			  const SsdparStoredDevice *device)
{
	Oid			tablespace = place->tablespace;

	if (device->tablespace != tablespace)
	{
		/* none of the new one's own may be left */
		if (ssdpar_stored_find(stored, device->tablespace) == NULL)
			ssdpar_stored_remove(stored, device->tablespace);
		ssdpar_profile_add(stored, device);
		for (int i = 0; i < stored->npoints; i++)
			if (stored->points[i].tablespace == tablespace)
				stored->points[i].tablespace = device->tablespace;
		ssdpar_stored_remove(stored, tablespace);
	}
	else
		*place = *device;
}

static TriggerData *
get_trigger(FunctionCallInfo fcinfo, const char *name)
{
	TriggerData *trigger = (TriggerData *) fcinfo->context;

	if (!CALLED_AS_TRIGGER(fcinfo) ||
		!TRIGGER_FIRED_INSTEAD(trigger->tg_event) ||
		!TRIGGER_FIRED_FOR_ROW(trigger->tg_event))
		ereport(ERROR,
				(errcode(ERRCODE_E_R_I_E_TRIGGER_PROTOCOL_VIOLATED),
				 errmsg("ssdpar.%s() can only be called as a trigger of its view",
						name)));
	return trigger;
}

/* Instead of inserting, updating or deleting a row of ssdpar.device. */
Datum
ssdpar_sql_device_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = get_trigger(fcinfo, "device_changed");
	TupleDesc	columns = RelationGetDescr(trigger->tg_relation);
	HeapTuple	row = trigger->tg_trigtuple;
	SsdparStored *stored = ssdpar_profiles_change();
	SsdparStoredDevice device;
	SsdparStoredDevice *place;

	ssdpar_device_from_row(row, columns, &device);
	if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
	{
		ssdpar_profile_add(stored, &device);
		return PointerGetDatum(row);
	}
	place = find_seen_device(stored, &device, columns);
	if (place == NULL)
		return PointerGetDatum(NULL);
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
	{
		row = trigger->tg_newtuple;
		ssdpar_device_from_row(row, columns, &device);
		update_device(stored, place, &device);
	}
	else
		ssdpar_stored_remove(stored, device.tablespace);
	return PointerGetDatum(row);
}

/* Instead of inserting, updating or deleting a row of ssdpar.device_profile. */
Datum
ssdpar_sql_point_changed(PG_FUNCTION_ARGS)
{
	TriggerData *trigger = get_trigger(fcinfo, "point_changed");
	TupleDesc	columns = RelationGetDescr(trigger->tg_relation);
	HeapTuple	row = trigger->tg_trigtuple;
	SsdparStored *stored = ssdpar_profiles_change();
	SsdparStoredPoint point;
	SsdparStoredPoint *place;

	ssdpar_point_from_row(row, columns, &point);
	if (TRIGGER_FIRED_BY_INSERT(trigger->tg_event))
	{
		ssdpar_profile_add_point(stored, &point);
		return PointerGetDatum(row);
	}
	place = find_seen_point(stored, &point, columns);
	if (place == NULL)
		return PointerGetDatum(NULL);

	/* with another key it is another point */
	ssdpar_stored_remove_point(stored, place);
	if (TRIGGER_FIRED_BY_UPDATE(trigger->tg_event))
	{
		row = trigger->tg_newtuple;
		ssdpar_point_from_row(row, columns, &point);
		ssdpar_profile_add_point(stored, &point);
	}
	return PointerGetDatum(row);
}

/* One value of a composite type as a row. */
static TupleDesc
open_row(Datum value, HeapTupleData *row)
{
	HeapTupleHeader header = DatumGetHeapTupleHeader(value);

	memset(row, 0, sizeof(*row));
	row->t_len = HeapTupleHeaderGetDatumLength(header);
	row->t_data = header;
	return lookup_rowtype_tupdesc(HeapTupleHeaderGetTypeId(header),
								  HeapTupleHeaderGetTypMod(header));
}

static void
put_points(SsdparStored *stored, ArrayType *array)
{
	Oid			type = ARR_ELEMTYPE(array);
	int16		length;
	bool		by_value;
	char		alignment;
	Datum	   *elements;
	bool	   *nulls;
	int			count;

	get_typlenbyvalalign(type, &length, &by_value, &alignment);
	deconstruct_array(array, type, length, by_value, alignment, &elements,
					  &nulls, &count);
	for (int i = 0; i < count; i++)
	{
		SsdparStoredPoint point;
		HeapTupleData row;
		TupleDesc	columns;

		CHECK_FOR_INTERRUPTS();
		if (nulls[i])
			continue;
		columns = open_row(elements[i], &row);
		ssdpar_point_from_row(&row, columns, &point);
		ReleaseTupleDesc(columns);
		ssdpar_profile_add_point(stored, &point);
	}
}

/* Not if it stands for any: these may be two. */
static bool
is_same_device(const SsdparKept *kept, const SsdparStoredDevice *device)
{
	return strcmp(kept->device.identity, device->identity) == 0 &&
		strcmp(device->identity, SSDPAR_ANY_DEVICE) != 0;
}

/*
 * put_profile(device ssdpar.device, points ssdpar.device_profile[]): replaces
 * the profile of the device's tablespace, but for what it does not say of the
 * same device.  On a standby too, where rows cannot be changed: the file is its
 * own.
 */
Datum
ssdpar_sql_put_profile(PG_FUNCTION_ARGS)
{
	SsdparStoredDevice device;
	SsdparStored *stored;
	SsdparKept *kept;
	HeapTupleData row;
	TupleDesc	columns;

	if (!RecoveryInProgress())
		PreventCommandIfReadOnly("ssdpar.put_profile()");
	PreventCommandIfParallelMode("ssdpar.put_profile()");
	columns = open_row(PG_GETARG_DATUM(0), &row);
	ssdpar_device_from_row(&row, columns, &device);
	ReleaseTupleDesc(columns);
	stored = ssdpar_profiles_change();
	kept = ssdpar_profile_take_out(stored, device.tablespace);
	ssdpar_profile_add(stored, &device);
	put_points(stored, PG_GETARG_ARRAYTYPE_P(1));
	if (kept != NULL && is_same_device(kept, &device))
		ssdpar_profile_keep(stored, kept);
	PG_RETURN_VOID();
}

/* lock_profiles(): before a profile is read that is going to be replaced. */
Datum
ssdpar_sql_lock_profiles(PG_FUNCTION_ARGS)
{
	PreventCommandIfParallelMode("ssdpar.lock_profiles()");
	ssdpar_profiles_lock();
	PG_RETURN_VOID();
}
