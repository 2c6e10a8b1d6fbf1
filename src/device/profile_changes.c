/*
 * profile_changes.c
 *		The server's device profiles, as a transaction sees and changes them.
 *
 * There is one file for all databases (profile_file.c).  A transaction that
 * changes a profile has a copy of all of them, and each of its subtransactions
 * another one, until it commits: then the copy becomes the file.  A lock, held
 * from the first change to the end of the transaction, keeps a second writer
 * from putting its copy over the first one's.
 *
 * The new file is complete and flushed before the commit, where it can still
 * fail, and takes the old one's place after it.  A crash in between loses the
 * change, and nothing else.
 *
 * It works on a standby as well: the file is the server's own, and nothing of
 * it is in WAL.
 */
#include "postgres.h"

#include "access/xact.h"
#include "catalog/pg_tablespace.h"
#include "commands/tablespace.h"
#include "storage/ipc.h"
#include "storage/lock.h"
#include "storage/lwlock.h"
#include "storage/shmem.h"
#include "utils/memutils.h"

#include "device/device_row.h"
#include "device/profile_changes.h"
#include "device/profile_drift.h"

/* Parts of the locks' tags: pg_locks.objsubid. */
#define LOCK_CALIBRATION 1
#define LOCK_CHANGES 2

/*
 * The copy of a subtransaction, above that of the one around it.  Each in
 * memory of its own: of thousands of subtransactions few may be left.
 */
typedef struct Changes
{
	MemoryContext memory;
	int			nest_level;
	SsdparStored *stored;
	struct Changes *outer;
} Changes;

typedef struct SharedProfiles
{
	pg_atomic_uint64 exchanges; /* of the file, since the server started */
} SharedProfiles;

static SharedProfiles *shared = NULL;
static Changes *changes = NULL; /* in the transaction's memory */
static SsdparStored *unchanged = NULL;	/* the file's, until then */
static MemoryContext unchanged_memory = NULL;
static bool prepared = false;	/* there is a temporary file */
static bool locked = false;		/* by itself, somewhere in the transaction */
static uint64 own_version = 1;	/* what only this process knows of */

void
ssdpar_profiles_request_shmem(void)
{
	RequestAddinShmemSpace(sizeof(SharedProfiles));
}

void
ssdpar_profiles_attach_shmem(void)
{
	bool		found;

	LWLockAcquire(AddinShmemInitLock, LW_EXCLUSIVE);
	shared = ShmemInitStruct("ssdpar profiles", sizeof(SharedProfiles),
							 &found);
	if (!found)
		pg_atomic_init_u64(&shared->exchanges, 0);
	LWLockRelease(AddinShmemInitLock);
}

/* Both numbers only grow, so their sum tells each change of either. */
uint64
ssdpar_profiles_version(void)
{
	static TimestampTz looked = 0;
	TimestampTz statement = GetCurrentStatementStartTimestamp();

	if (shared != NULL)
		return own_version + pg_atomic_read_u64(&shared->exchanges);
	if (looked != statement)
	{
		looked = statement;
		if (ssdpar_profile_file_changed())
			own_version++;
	}
	return own_version;
}

SsdparProfileFile
ssdpar_profiles_read(void)
{
	SsdparProfileFile file = {0};

	if (changes == NULL)
		return ssdpar_profile_file_read();
	file.stored = ssdpar_stored_copy(changes->stored);
	return file;
}

/*
 * Of all databases.  The server has no use for this kind of lock any more; an
 * object's could not be taken exclusively on a standby.
 */
static bool
lock(uint32 which, int what, bool wait)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, InvalidOid, TableSpaceRelationId, which, what);
	tag.locktag_type = LOCKTAG_USERLOCK;
	return LockAcquire(&tag, ExclusiveLock, false, !wait) !=
		LOCKACQUIRE_NOT_AVAIL;
}

bool
ssdpar_profiles_lock_calibration(Oid tablespace)
{
	return lock(ssdpar_tablespace_device(tablespace), LOCK_CALIBRATION, false);
}

bool
ssdpar_profiles_are_locked(void)
{
	return changes != NULL;
}

/* Tablespaces that are gone: their OIDs may come to be others'. */
static void
remove_dropped(SsdparStored *stored)
{
	for (int i = stored->ndevices - 1; i >= 0; i--)
	{
		Oid			tablespace = stored->devices[i].tablespace;

		if (get_tablespace_name(tablespace) == NULL)
			ssdpar_stored_remove(stored, tablespace);
	}

	/* there may be points without a device */
	for (int i = stored->npoints - 1; i >= 0; i = Min(i, stored->npoints) - 1)
	{
		Oid			tablespace = stored->points[i].tablespace;

		if (get_tablespace_name(tablespace) == NULL)
			ssdpar_stored_remove(stored, tablespace);
	}
}

static void
prepare(void)
{
	remove_dropped(changes->stored);
	prepared = true;
	ssdpar_profile_file_prepare(changes->stored);
}

/* Of one that is gone the next one's change will be seen. */
static void
forget_drift(void)
{
	for (int i = 0; i < changes->stored->ndevices; i++)
	{
		Oid			tablespace = changes->stored->devices[i].tablespace;

		if (!ssdpar_stored_same(unchanged, changes->stored, tablespace))
			ssdpar_drift_forget(tablespace);
	}
}

/* Still under the lock, which is let go later. */
static void
exchange(void)
{
	ssdpar_profile_file_exchange(changes->stored);
	if (shared != NULL)
		pg_atomic_fetch_add_u64(&shared->exchanges, 1);
	forget_drift();
}

static void
forget_unchanged(void)
{
	MemoryContextDelete(unchanged_memory);
	unchanged_memory = NULL;
	unchanged = NULL;
}

static void
forget(void)
{
	changes = NULL;
	forget_unchanged();
	prepared = false;
	own_version++;
}

static void
refuse_prepare(void)
{
	ereport(ERROR,
			(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
			 errmsg("cannot PREPARE a transaction that has changed a device profile")));
}

static void
transaction_ends(XactEvent event, void *arg)
{
	if (event == XACT_EVENT_PRE_PREPARE && (locked || changes != NULL))
		refuse_prepare();
	if (event == XACT_EVENT_COMMIT || event == XACT_EVENT_ABORT)
		locked = false;
	if (changes == NULL)
		return;
	switch (event)
	{
		case XACT_EVENT_PRE_COMMIT:
			prepare();
			break;
		case XACT_EVENT_COMMIT:
			exchange();
			forget();
			break;
		case XACT_EVENT_ABORT:
			if (prepared)
				ssdpar_profile_file_forget();
			forget();
			break;
		default:
			break;
	}
}

/* Returns the copy around it. */
static Changes *
drop(Changes *copy)
{
	Changes    *outer = copy->outer;

	MemoryContextDelete(copy->memory);
	return outer;
}

static void
subtransaction_ends(SubXactEvent event, SubTransactionId own,
					SubTransactionId parent, void *arg)
{
	int			level = GetCurrentTransactionNestLevel();

	if (changes == NULL || changes->nest_level < level)
		return;
	Assert(changes->nest_level == level);
	if (event == SUBXACT_EVENT_ABORT_SUB)
	{
		changes = drop(changes);
		if (changes == NULL)
			forget_unchanged();
		own_version++;
	}
	else if (event == SUBXACT_EVENT_COMMIT_SUB)
	{
		Changes    *outer = changes->outer;

		changes->nest_level--;
		if (outer != NULL && outer->nest_level == changes->nest_level)
			changes->outer = drop(outer);
	}
}

static void
refuse_unreadable(const SsdparProfileFile *file)
{
	if (file->unreadable)
		ereport(ERROR,
				(errcode(ERRCODE_IO_ERROR),
				 errmsg("cannot change device profiles: %s", file->problem),
				 errhint("See the server's log. If the file is of no use, "
						 "remove it from the data directory.")));
}

void
ssdpar_profiles_check_changeable(void)
{
	SsdparProfileFile file = ssdpar_profile_file_read();

	refuse_unreadable(&file);
}

static void
watch_transaction(void)
{
	static bool registered = false;

	if (registered)
		return;
	RegisterXactCallback(transaction_ends, NULL);
	RegisterSubXactCallback(subtransaction_ends, NULL);
	registered = true;
}

/*
 * What the file holds, for someone who is about to write it anew.  What makes
 * no sense is replaced; what cannot be read may be good.
 */
static SsdparStored *
read_to_change(MemoryContext memory)
{
	MemoryContext before = MemoryContextSwitchTo(memory);
	SsdparProfileFile file = ssdpar_profile_file_read();

	MemoryContextSwitchTo(before);
	refuse_unreadable(&file);
	if (file.problem != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("all device profiles are replaced: %s",
						file.problem)));
	return file.stored;
}

/* A copy of what there is, for this level of subtransactions. */
static Changes *
make_copy(const SsdparStored *stored, int level)
{
	MemoryContext memory = AllocSetContextCreate(CurrentMemoryContext,
												 "ssdpar profile changes",
												 ALLOCSET_DEFAULT_SIZES);
	MemoryContext before = MemoryContextSwitchTo(memory);
	Changes    *copy = palloc(sizeof(Changes));

	copy->memory = memory;
	copy->nest_level = level;
	copy->outer = changes;
	copy->stored = ssdpar_stored_copy(stored);
	MemoryContextSwitchTo(before);
	return copy;
}

/* Until nothing can fail any more, what is made goes with the statement. */
SsdparStored *
ssdpar_profiles_change(void)
{
	int			level = GetCurrentTransactionNestLevel();
	MemoryContext memory = unchanged_memory;
	SsdparStored *before = unchanged;
	Changes    *own;

	own_version++;
	if (changes != NULL && changes->nest_level == level)
		return changes->stored;
	watch_transaction();
	if (changes == NULL)
	{
		(void) lock(0, LOCK_CHANGES, true);
		memory = AllocSetContextCreate(CurrentMemoryContext,
									   "ssdpar profiles unchanged",
									   ALLOCSET_DEFAULT_SIZES);
		before = read_to_change(memory);
	}
	own = make_copy(changes != NULL ? changes->stored : before, level);
	MemoryContextSetParent(memory, TopTransactionContext);
	MemoryContextSetParent(own->memory, TopTransactionContext);
	unchanged_memory = memory;
	unchanged = before;
	changes = own;
	return own->stored;
}

void
ssdpar_profiles_lock(void)
{
	watch_transaction();
	(void) lock(0, LOCK_CHANGES, true);
	locked = true;
}

const SsdparStored *
ssdpar_profiles_unchanged(void)
{
	Assert(changes != NULL);
	return unchanged;
}
