/*
 * profile.c
 *		Reads device profiles from their table and caches them per backend.
 *
 * The table is read directly (table_rows.c) and without permission checks: the
 * profile is the planner's, not the querying user's, and SPI has no place
 * inside planning.  The snapshot must be a fresh one, not the query's: a cache
 * filled from an old snapshot would outlive it.
 *
 * Invalidation: a trigger on the table sends a relcache invalidation for it
 * (inspect.c); the callback here marks the cache stale.  What was handed out
 * stays valid until the transaction ends, because a stale cache that gave out
 * a profile becomes a child of the transaction's memory instead of being
 * freed.
 *
 * Profiles are made by calibrate.c.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/relation.h"
#include "access/xact.h"
#include "access/xlog.h"
#include "catalog/dependency.h"
#include "catalog/namespace.h"
#include "catalog/pg_class.h"
#include "catalog/pg_type.h"
#include "commands/extension.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/lmgr.h"
#include "utils/builtins.h"
#include "utils/hsearch.h"
#include "utils/inval.h"
#include "utils/lsyscache.h"
#include "utils/memutils.h"
#include "utils/rel.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "profile.h"
#include "table_rows.h"

/* Columns of ssdpar.device_profile that are read, in the table's order. */
enum
{
	COLUMN_TABLESPACE,
	COLUMN_OPERATION,
	COLUMN_PATTERN,
	COLUMN_REQUEST_SIZE,
	COLUMN_QUEUE_DEPTH,
	COLUMN_IOPS,
	COLUMNS_READ,
};

static const Oid column_types[COLUMNS_READ] = {
	NAMEOID, TEXTOID, TEXTOID, INT4OID, INT4OID, FLOAT8OID,
};

typedef struct CachedProfile
{
	Oid			tablespace;		/* hash key */
	const char *problem;		/* a constant, or NULL if profile is good */
	bool		warn;			/* there are rows, but nonsense */
	const char *device_problem; /* the same of device */
	bool		device_warn;	/* it could be read, but is of no use */
	SsdparProfile profile;
	SsdparDeviceRow device;
} CachedProfile;

/* What a scan of the table gathers. */
typedef struct Gathered
{
	int			npoints;
	bool		too_many;
	SsdparPoint points[SSDPAR_POINTS_MAX];
} Gathered;

static MemoryContext cache_context = NULL;
static HTAB *cache = NULL;
static Oid	profile_table = InvalidOid; /* while the cache is good */
static Oid	device_table = InvalidOid;
static bool cache_stale = true;
static bool handed_out = false; /* a profile of this cache may be in use */
static uint64 invalidations = 0;
static List *warned = NIL;		/* tablespaces: OIDs */

static void
mark_stale(void)
{
	cache_stale = true;
	invalidations++;
}

/*
 * While the extension is not there, any relation can be its table coming into
 * being; looking again is cheap.
 */
static void
relation_changed(Datum arg, Oid relid)
{
	if (!OidIsValid(relid) || !OidIsValid(profile_table) ||
		relid == profile_table || relid == device_table)
		mark_stale();
}

/* A tablespace was renamed, made or dropped. */
static void
tablespace_changed(Datum arg, int cacheid, uint32 hashvalue)
{
	mark_stale();
}

/* The extension's own tables only: anybody could make one of that name. */
static Oid
find_table(const char *name)
{
	Oid			schema = get_namespace_oid("ssdpar", true);
	Oid			extension;
	Oid			relid;

	if (!OidIsValid(schema))
		return InvalidOid;
	relid = get_relname_relid(name, schema);
	if (!OidIsValid(relid))
		return InvalidOid;
	extension = get_extension_oid("ssdpar", true);
	if (!OidIsValid(extension) ||
		getExtensionOfObject(RelationRelationId, relid) != extension)
		return InvalidOid;
	return relid;
}

/*
 * Not within the callbacks, which come at any moment, even amid an access to
 * the cache, and may read no catalog.
 */
static void
renew_cache(void)
{
	HASHCTL		info = {0};
	uint64		before = invalidations;

	if (cache_context != NULL && handed_out)
		MemoryContextSetParent(cache_context, TopTransactionContext);
	else if (cache_context != NULL)
		MemoryContextDelete(cache_context);
	cache_context = NULL;
	handed_out = false;
	cache = NULL;
	cache_context = AllocSetContextCreate(CacheMemoryContext,
										  "ssdpar device profiles",
										  ALLOCSET_SMALL_SIZES);
	info.keysize = sizeof(Oid);
	info.entrysize = sizeof(CachedProfile);
	info.hcxt = cache_context;
	cache = hash_create("ssdpar device profiles", 8, &info,
						HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);

	/* an invalidation or error during the look-up leaves the cache stale */
	profile_table = InvalidOid;
	device_table = find_table("device");
	profile_table = find_table("device_profile");
	cache_stale = before != invalidations;
}

static bool
has_expected_columns(Relation table)
{
	TupleDesc	columns = RelationGetDescr(table);

	if (columns->natts < COLUMNS_READ)
		return false;
	for (int i = 0; i < COLUMNS_READ; i++)
		if (TupleDescAttr(columns, i)->atttypid != column_types[i])
			return false;
	return true;
}

static bool
text_is(Datum value, const char *expected)
{
	text	   *packed = DatumGetTextPP(value);
	size_t		length = VARSIZE_ANY_EXHDR(packed);

	return length == strlen(expected) &&
		memcmp(VARDATA_ANY(packed), expected, length) == 0;
}

static bool
is_read_of(const Datum *values, const bool *nulls, const char *tablespace)
{
	return !nulls[COLUMN_TABLESPACE] && !nulls[COLUMN_OPERATION] &&
		strcmp(NameStr(*DatumGetName(values[COLUMN_TABLESPACE])),
			   tablespace) == 0 &&
		text_is(values[COLUMN_OPERATION], "read");
}

/*
 * Nulls become zero, which is no valid number in a profile: that is found when
 * it is built, and said with the other mistakes.
 */
static void
gather_rows(Relation table, const char *tablespace, Gathered *gathered)
{
	SsdparTableRows rows;

	ssdpar_begin_rows(&rows, table);
	while (ssdpar_next_row(&rows))
	{
		const Datum *values = rows.slot->tts_values;
		const bool *nulls = rows.slot->tts_isnull;
		SsdparPoint *point;

		slot_getallattrs(rows.slot);
		if (!is_read_of(values, nulls, tablespace))
			continue;
		if (gathered->npoints >= SSDPAR_POINTS_MAX)
		{
			gathered->too_many = true;
			break;
		}
		point = &gathered->points[gathered->npoints++];
		point->pattern = !nulls[COLUMN_PATTERN] &&
			text_is(values[COLUMN_PATTERN], "sequential") ?
			SSDPAR_SEQUENTIAL : SSDPAR_RANDOM;
		point->request_size = nulls[COLUMN_REQUEST_SIZE] ? 0 :
			DatumGetInt32(values[COLUMN_REQUEST_SIZE]);
		point->queue_depth = nulls[COLUMN_QUEUE_DEPTH] ? 0 :
			DatumGetInt32(values[COLUMN_QUEUE_DEPTH]);
		point->iops = nulls[COLUMN_IOPS] ? 0.0 :
			DatumGetFloat8(values[COLUMN_IOPS]);
	}
	ssdpar_end_rows(&rows);
}

static void
build_entry(Relation table, const char *tablespace, CachedProfile *entry)
{
	Gathered   *gathered = palloc0_object(Gathered);
	bool		altered = !has_expected_columns(table);

	if (altered)
		entry->problem = "its table has been altered";
	else
	{
		gather_rows(table, tablespace, gathered);
		entry->problem = gathered->too_many
			? "it has more points than a sweep"
			: ssdpar_profile_build(&entry->profile, gathered->points,
								   gathered->npoints);
		if (entry->problem != NULL && gathered->npoints == 0)
			entry->problem = "the tablespace has not been calibrated";
	}

	/* a tablespace that has not been calibrated is no mistake */
	entry->warn = entry->problem != NULL && (gathered->npoints > 0 || altered);
	pfree(gathered);
}

/*
 * Opens the table unless another session holds it exclusively (DROP EXTENSION,
 * TRUNCATE): planning does not wait for that.
 */
static Relation
open_without_waiting(Oid relid)
{
	Relation	table;

	if (!ConditionalLockRelationOid(relid, AccessShareLock))
		return NULL;
	table = try_relation_open(relid, NoLock);
	if (table == NULL)
		UnlockRelationOid(relid, AccessShareLock);
	return table;
}

/*
 * False if there is nothing that may be cached.  Then nothing is warned of
 * either: a lock goes away by itself, and calibrating would only wait for it.
 */
static bool
load_device(const char *name, CachedProfile *entry)
{
	Relation	table;

	entry->device_problem = "its table is locked";
	table = OidIsValid(device_table) ? open_without_waiting(device_table)
		: NULL;
	if (table == NULL)
		return false;
	entry->device_problem = ssdpar_device_row_read(table, entry->tablespace,
												   name, &entry->device);
	entry->device_warn = entry->device_problem != NULL;
	relation_close(table, AccessShareLock);
	return true;
}

/* The same. */
static bool
load_entry(Oid tablespace, CachedProfile *entry)
{
	char	   *name;
	Relation	table;

	entry->tablespace = tablespace;
	entry->warn = false;
	entry->problem = "extension ssdpar is not installed in this database";
	if (!OidIsValid(profile_table))
		return true;
	entry->problem = "the tablespace has been dropped";
	name = get_tablespace_name(tablespace);
	if (name == NULL)
		return true;
	entry->problem = "its table is locked";
	table = open_without_waiting(profile_table);
	if (table == NULL)
		return false;
	build_entry(table, name, entry);
	relation_close(table, AccessShareLock);
	return entry->problem != NULL || load_device(name, entry);
}

static CachedProfile *
look_up(Oid tablespace)
{
	static bool registered = false;
	CachedProfile *entry;
	CachedProfile *loaded;
	uint64		before;

	/* catalogs are read, and stale profiles become its memory's children */
	Assert(IsTransactionState());

	/*
	 * Before the first look, so that no change is missed.  There are few
	 * slots for callbacks in a backend, and one cannot be given back.
	 */
	if (!registered)
	{
		CacheRegisterRelcacheCallback(relation_changed, (Datum) 0);
		CacheRegisterSyscacheCallback(TABLESPACEOID, tablespace_changed,
									  (Datum) 0);
		registered = true;
	}
	if (!OidIsValid(tablespace))
		tablespace = MyDatabaseTableSpace;

	/* finding the table can make the cache stale at once: not forever */
	for (int tries = 0; cache_stale && tries < 3; tries++)
		renew_cache();
	entry = hash_search(cache, &tablespace, HASH_FIND, NULL);
	if (entry != NULL)
		return entry;

	/*
	 * Loading can itself receive an invalidation; then what was read may be
	 * old, so it is used for this once and the next call reads again.  It is
	 * entered last, as an error while loading must leave no entry.
	 */
	loaded = palloc0_object(CachedProfile);
	before = invalidations;
	if (!load_entry(tablespace, loaded) || before != invalidations)
		cache_stale = true;
	entry = hash_search(cache, &tablespace, HASH_ENTER, NULL);
	*entry = *loaded;
	pfree(loaded);
	return entry;
}

/*
 * Once a backend and tablespace is enough to be noticed, and not a line for
 * every plan.  A standby has its primary's profiles and can make none.
 */
static void
warn_once(Oid tablespace, const char *problem)
{
	char	   *name;
	MemoryContext before;

	if (!OidIsValid(tablespace))
		tablespace = MyDatabaseTableSpace;
	if (list_member_oid(warned, tablespace))
		return;
	before = MemoryContextSwitchTo(TopMemoryContext);
	warned = lappend_oid(warned, tablespace);
	MemoryContextSwitchTo(before);
	name = get_tablespace_name(tablespace);
	if (name == NULL)
		name = "?";
	ereport(WARNING,
			(errcode(ERRCODE_DATA_CORRUPTED),
			 errmsg("device profile of tablespace \"%s\" cannot be used: %s",
					name, problem),
			 errdetail("Queries are planned as if there were no profile."),
			 RecoveryInProgress()
			 ? errhint("Run SELECT * FROM ssdpar.calibrate('%s') on the "
					   "primary. Where this standby's device is another "
					   "one, set ssdpar.cost_model to off here, or, if "
					   "both are alike, identity to 'any device' in "
					   "ssdpar.device on the primary.", name)
			 : errhint("Run SELECT * FROM ssdpar.calibrate('%s').",
					   name)));
}

const SsdparProfile *
ssdpar_profile_get(Oid tablespace)
{
	CachedProfile *entry;

	/* it executes its leader's plan, and plans nothing of its own by a model */
	if (IsParallelWorker())
		return NULL;
	entry = look_up(tablespace);
	if (entry->problem == NULL)
	{
		handed_out = true;
		return &entry->profile;
	}
	if (entry->warn)
		warn_once(tablespace, entry->problem);
	return NULL;
}

const SsdparDeviceRow *
ssdpar_device_get(Oid tablespace, const SsdparProfile **profile)
{
	CachedProfile *entry;

	if (IsParallelWorker())
		return NULL;
	entry = look_up(tablespace);
	if (entry->problem == NULL && entry->device_problem == NULL)
	{
		handed_out = true;
		*profile = &entry->profile;
		return &entry->device;
	}
	if (entry->device_warn)
		warn_once(tablespace, entry->device_problem);
	else if (entry->warn)
		warn_once(tablespace, entry->problem);
	return NULL;
}

const char *
ssdpar_device_problem(Oid tablespace)
{
	CachedProfile *entry;

	if (IsParallelWorker())
		return "a parallel worker reads no profile";
	entry = look_up(tablespace);
	return entry->problem != NULL ? entry->problem : entry->device_problem;
}
