/*
 * profile.c
 *		Reads device profiles for the planner, and for what reads ahead, and
 *		caches them per backend.
 *
 * They are the server's, not a database's (profile_file.c): no extension,
 * table or privilege is asked for, and nothing is locked.  The cache is rebuilt
 * when their version has changed, by another session or this one.  What was
 * handed out stays valid until the transaction ends, because an old cache that
 * gave out a profile becomes a child of the transaction's memory instead of
 * being freed.
 *
 * Profiles are made by calibrate.c.
 */
#include "postgres.h"

#include "access/parallel.h"
#include "access/xact.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "utils/hsearch.h"
#include "utils/memutils.h"

#include "base/compat.h"
#include "base/notes.h"
#include "device/profile_file.h"
#include "profile.h"

typedef struct CachedProfile
{
	Oid			tablespace;		/* hash key */
	const char *problem;		/* the cache's, or NULL if profile is good */
	bool		warn;			/* there is something, but nonsense */
	const char *device_problem; /* the same of device */
	bool		device_warn;	/* it is there, but of no use */
	TimestampTz asked;			/* statement that asked for the device */
	SsdparProfile profile;
	SsdparDeviceRow device;
} CachedProfile;

/* The points of one tablespace. */
typedef struct Gathered
{
	int			npoints;
	bool		too_many;
	SsdparPoint points[SSDPAR_POINTS_MAX];
} Gathered;

static MemoryContext cache_context = NULL;
static HTAB *cache = NULL;
static CachedProfile *last_found = NULL;	/* of this cache, or NULL */
static uint64 cache_version = 0;	/* 0: no cache */
static bool handed_out = false; /* a profile of this cache may be in use */
static List *warned = NIL;		/* tablespaces: OIDs */

static void
renew_cache(uint64 version)
{
	HASHCTL		info = {0};

	if (cache_context != NULL && handed_out)
		MemoryContextSetParent(cache_context, TopTransactionContext);
	else if (cache_context != NULL)
		MemoryContextDelete(cache_context);
	cache_context = NULL;
	handed_out = false;
	cache = NULL;
	last_found = NULL;
	cache_version = 0;
	cache_context = AllocSetContextCreate(CacheMemoryContext,
										  "ssdpar device profiles",
										  ALLOCSET_SMALL_SIZES);
	info.keysize = sizeof(Oid);
	info.entrysize = sizeof(CachedProfile);
	info.hcxt = cache_context;
	cache = hash_create("ssdpar device profiles", 8, &info,
						HASH_ELEM | HASH_BLOBS | HASH_CONTEXT);
	cache_version = version;
}

/*
 * Writes are kept for users: the planner prices reads.  Streams are for the
 * advisor: how many there are is told by who reads, not by a plan.
 */
static void
gather_points(JsonbContainer *document, Gathered *gathered)
{
	JsonbContainer *points = ssdpar_json_child(document, "points");
	int			count = points == NULL ? 0 : JsonContainerSize(points);

	for (int i = 0; i < count; i++)
	{
		JsonbContainer *from =
			getIthJsonbValueFromContainer(points, i)->val.binary.data;
		char	   *pattern = ssdpar_json_text(from, "pattern");
		SsdparPoint *point;

		if (strcmp(ssdpar_json_text(from, "operation"), "read") != 0 ||
			strcmp(pattern, SSDPAR_STREAMS) == 0)
			continue;
		if (gathered->npoints >= SSDPAR_POINTS_MAX)
		{
			gathered->too_many = true;
			break;
		}
		point = &gathered->points[gathered->npoints++];
		point->pattern = strcmp(pattern, "sequential") == 0 ?
			SSDPAR_SEQUENTIAL : SSDPAR_RANDOM;
		point->request_size = ssdpar_json_number(from, "request_size");
		point->queue_depth = ssdpar_json_number(from, "queue_depth");
		point->iops = ssdpar_json_number(from, "iops");
	}
}

/* A tablespace that has not been calibrated is no mistake. */
static void
build_profile(JsonbContainer *document, CachedProfile *entry)
{
	Gathered   *gathered = palloc_object(Gathered);

	/* not the points: to clear them would take longer than to read them */
	gathered->npoints = 0;
	gathered->too_many = false;
	if (document != NULL)
		gather_points(document, gathered);
	entry->problem = gathered->too_many
		? "it has more points than a sweep"
		: ssdpar_profile_build(&entry->profile, gathered->points,
							   gathered->npoints);
	if (gathered->npoints == 0)
		entry->problem = "the tablespace has not been calibrated";
	entry->warn = entry->problem != NULL && gathered->npoints > 0;
	pfree(gathered);
}

static void
build_device(JsonbContainer *document, CachedProfile *entry)
{
	entry->device_problem = ssdpar_device_row_check(entry->tablespace,
													document, &entry->device);
	entry->device_warn = entry->device_problem != NULL &&
		entry->device_problem != ssdpar_device_unsure;
	entry->asked = GetCurrentStatementStartTimestamp();
}

/*
 * What could not be found out then may be now: asked once a statement.  The
 * device that is filled in was given to nobody, and the profile stays.
 */
static CachedProfile *
ask_again(CachedProfile *entry)
{
	if (entry->device_problem == ssdpar_device_unsure &&
		entry->asked != GetCurrentStatementStartTimestamp())
	{
		SsdparProfileFile file = ssdpar_profiles_read();

		JsonbContainer *document = ssdpar_stored_find(file.stored,
													  entry->tablespace);

		if (document != NULL)
			build_device(document, entry);
	}
	return entry;
}

static void
load_entry(CachedProfile *entry)
{
	SsdparProfileFile file = ssdpar_profiles_read();
	JsonbContainer *document = ssdpar_stored_find(file.stored,
												  entry->tablespace);

	if (file.problem != NULL)
		entry->problem = MemoryContextStrdup(cache_context, file.problem);
	entry->warn = file.problem != NULL;
	if (entry->problem == NULL)
		build_profile(document, entry);
	if (entry->problem == NULL)
		build_device(document, entry);
}

/* Entered last, as an error while loading must leave no entry. */
static CachedProfile *
enter(Oid tablespace)
{
	MemoryContext own = AllocSetContextCreate(CurrentMemoryContext,
											  "ssdpar profile file",
											  ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(own);
	CachedProfile *loaded = palloc0_object(CachedProfile);
	CachedProfile *entry;
	SsdparWorkSpan work;

	ssdpar_note_work_begin(&work);
	loaded->tablespace = tablespace;
	load_entry(loaded);
	ssdpar_note_work_end(&work, SSDPAR_WORK_PROFILES);
	MemoryContextSwitchTo(before);
	entry = hash_search(cache, &tablespace, HASH_ENTER, NULL);
	*entry = *loaded;
	MemoryContextDelete(own);
	return entry;
}

/*
 * The version is asked before the file is read: a change in between makes the
 * next look read again.
 */
static CachedProfile *
look_up(Oid tablespace)
{
	uint64		version = ssdpar_profiles_version();
	CachedProfile *entry;

	/* an old cache becomes its memory's child */
	Assert(IsTransactionState());
	if (!OidIsValid(tablespace))
		tablespace = MyDatabaseTableSpace;
	if (cache_version != version)
		renew_cache(version);
	if (last_found != NULL && last_found->tablespace == tablespace)
		return ask_again(last_found);
	entry = hash_search(cache, &tablespace, HASH_FIND, NULL);
	return last_found = entry != NULL ? ask_again(entry) : enter(tablespace);
}

/*
 * Once a backend and tablespace is enough to be noticed, and not a line for
 * every plan.
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
			 errhint("Run SELECT * FROM ssdpar.calibrate('%s').", name)));
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

/*
 * Planning has warned.  A warning asks a catalog for a name, and here it could
 * come amid a batch of asynchronous reads.
 */
const SsdparProfile *
ssdpar_profile_for_reading(Oid tablespace)
{
	CachedProfile *entry = look_up(tablespace);

	if (entry->problem != NULL)
		return NULL;
	handed_out = true;
	return &entry->profile;
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
