/*
 * profile_file.c
 *		The file in the data directory that holds the server's device profiles.
 *
 * JSON (profile_json.c), the same for all databases, replaced as a whole as
 * ALTER SYSTEM replaces its file: a temporary file is written and flushed, and
 * renamed over it.  After a crash there is the one or the other.  The name of
 * the temporary file is one that pg_basebackup leaves out; what a crash leaves
 * of it is overwritten by the next change.  A lock keeps a second writer from
 * replacing what the first one wrote by what it read before.
 *
 * It works on a standby as well: the file is the server's own, and nothing of
 * it is in WAL.  The file is in a base backup.  What was measured on another
 * device is not used there, as each profile knows its device
 * (known_devices.c), and is still right after a restore to the same one.
 *
 * The binary file of an earlier version is not read.  The first change keeps it
 * under another name.
 *
 * Reading is for the planner: whatever is wrong is said, and no error.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "access/xact.h"
#include "catalog/pg_tablespace.h"
#include "commands/tablespace.h"
#include "common/string.h"
#include "miscadmin.h"
#include "storage/fd.h"
#include "storage/lock.h"

#include "base/compat.h"
#include "device/device_row.h"
#include "device/profile_file.h"

#define TEMPORARY_FILE PG_TEMP_FILE_PREFIX "_" SSDPAR_PROFILE_FILE

/* How the binary files of earlier versions began. */
#define OLD_MAGIC "SSDPARDP"
#define OLD_FILE SSDPAR_PROFILE_FILE ".old"

/* Hundreds of devices. */
#define LARGEST_FILE (16 * 1024 * 1024)

/* Parts of the locks' tags: pg_locks.objsubid. */
#define LOCK_CALIBRATION 1
#define LOCK_CHANGES 2

typedef struct SharedProfiles
{
	pg_atomic_uint64 changes;	/* of the file, since the server started */
} SharedProfiles;

static SharedProfiles *shared = NULL;
static uint64 own_version = 1;	/* what only this process knows of */

/* ----- reading ----- */

/* The rest is the log's: which error it was. */
static const char *
cannot_read(void)
{
	int			error = errno;

	ereport(LOG,
			(errcode_for_file_access(),
			 errmsg("could not read device profiles from \"%s\": %m",
					SSDPAR_PROFILE_FILE)));
	if (error == EACCES || error == EPERM)
		return "the server may not read the file ssdpar.profile";
	return "the file ssdpar.profile cannot be read";
}

/* NULL, or why not all SIZE bytes could be read. */
static const char *
read_all(int fd, char *data, Size size)
{
	Size		done = 0;

	while (done < size)
	{
		ssize_t		got = read(fd, data + done, size - done);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return cannot_read();
		if (got == 0)
			return "the file ssdpar.profile is cut off";
		done += got;
	}
	return NULL;
}

/* No file is no problem. */
static void
fail_to_read(SsdparProfileFile *file)
{
	file->unreadable = errno != ENOENT;
	file->problem = file->unreadable ? cannot_read() : NULL;
}

/*
 * All of an open file, or NULL.  Its size is that of the one that is open:
 * another one may have taken the place of what was looked at before.
 */
static char *
read_open(int fd, Size *size, SsdparProfileFile *file)
{
	struct stat status;
	char	   *data;

	if (fstat(fd, &status) != 0)
	{
		fail_to_read(file);
		return NULL;
	}
	if (status.st_size > LARGEST_FILE)
	{
		file->problem = "the file ssdpar.profile is something else";
		return NULL;
	}
	*size = status.st_size;
	data = palloc_extended(*size + 1, MCXT_ALLOC_NO_OOM);
	errno = ENOMEM;
	if (data == NULL)
		fail_to_read(file);
	else
		file->problem = read_all(fd, data, *size);
	return data;
}

/*
 * No lock or resource is taken by what runs here, so an error is caught without
 * a subtransaction.
 */
static const char *
decode_json(const char *text, Size size, SsdparStored *stored)
{
	MemoryContext context = CurrentMemoryContext;
	uint32		held = InterruptHoldoffCount;
	const char *volatile problem = NULL;

	if (strlen(text) != size || !pg_is_ascii(text))
		return "the file ssdpar.profile is something else";
	HOLD_INTERRUPTS();
	PG_TRY();
	{
		ssdpar_stored_from_json(text, stored);
	}
	PG_CATCH();
	{
		ErrorData  *error;

		MemoryContextSwitchTo(context);
		error = CopyErrorData();
		if (error->sqlerrcode == ERRCODE_OUT_OF_MEMORY)
			PG_RE_THROW();
		FlushErrorState();
		if (error->sqlerrcode == ERRCODE_FEATURE_NOT_SUPPORTED)
			problem = "the file ssdpar.profile is of a newer version of ssdpar";
		else
			problem = psprintf("the file ssdpar.profile is damaged: %s",
							   error->message);
	}
	PG_END_TRY();
	InterruptHoldoffCount = held;
	return problem;
}

static const char *
decode(const char *data, Size size, SsdparProfileFile *file)
{
	SsdparStored *found = palloc0_object(SsdparStored);
	const char *problem;

	file->is_old = strncmp(data, OLD_MAGIC, strlen(OLD_MAGIC)) == 0;
	problem = file->is_old ?
		"the file ssdpar.profile was written by an older version of ssdpar: run ssdpar.calibrate() again" :
		decode_json(data, size, found);
	if (problem == NULL)
		file->stored = found;
	return problem;
}

/*
 * Not by OpenTransientFile(), which raises an error where descriptors have run
 * out.  So nothing may raise one before it is closed: a log line looks for a
 * cancel.  Its kind is looked at first: to open a FIFO would wait.
 */
SsdparProfileFile
ssdpar_profiles_read(void)
{
	SsdparProfileFile file = {0};
	struct stat status;
	Size		size = 0;
	char	   *data;
	int			fd;

	file.stored = palloc0_object(SsdparStored);
	if (stat(SSDPAR_PROFILE_FILE, &status) != 0)
	{
		fail_to_read(&file);
		return file;
	}
	if (!S_ISREG(status.st_mode))
	{
		/* a directory could not be replaced, for one */
		file.unreadable = true;
		file.problem = "the file ssdpar.profile is something else";
		return file;
	}
	fd = BasicOpenFile(SSDPAR_PROFILE_FILE, O_RDONLY | PG_BINARY);
	if (fd < 0)
	{
		/* it may have gone in between */
		fail_to_read(&file);
		return file;
	}
	HOLD_INTERRUPTS();
	data = read_open(fd, &size, &file);
	close(fd);
	RESUME_INTERRUPTS();
	if (data != NULL)
		data[size] = '\0';
	if (data != NULL && file.problem == NULL)
		file.problem = decode(data, size, &file);
	if (data != NULL)
		pfree(data);
	return file;
}

/* ----- writing ----- */

static void
fail_to_write(void)
{
	int			error = errno;

	(void) unlink(TEMPORARY_FILE);
	errno = error;
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not write device profiles to \"%s\": %m",
					TEMPORARY_FILE),
			 errdetail("The profiles were not changed.")));
}

/* Of nothing there is no file. */
static void
write_file(const SsdparStored *stored)
{
	StringInfoData text;
	int			fd;

	if (stored->profiles == NIL && stored->links == NIL)
	{
		if (access(SSDPAR_PROFILE_FILE, F_OK) == 0)
			(void) durable_unlink(SSDPAR_PROFILE_FILE, ERROR);
		return;
	}
	initStringInfo(&text);
	ssdpar_stored_to_json(stored, &text);
	if (text.len > LARGEST_FILE)
		ereport(ERROR,
				(errcode(ERRCODE_PROGRAM_LIMIT_EXCEEDED),
				 errmsg("there are too many device profiles"),
				 errdetail("The profiles were not changed.")));
	fd = OpenTransientFile(TEMPORARY_FILE,
						   O_WRONLY | O_CREAT | O_TRUNC | PG_BINARY);
	if (fd < 0)
		fail_to_write();
	errno = ENOSPC;
	if (write(fd, text.data, text.len) != text.len || pg_fsync(fd) != 0)
		fail_to_write();
	if (CloseTransientFile(fd) != 0)
		fail_to_write();
	(void) durable_rename(TEMPORARY_FILE, SSDPAR_PROFILE_FILE, ERROR);
	pfree(text.data);
}

/*
 * Of all databases.  The server has no use for this kind of lock any more; an
 * object's could not be taken exclusively on a standby.
 */
static LOCKTAG
lock_tag(uint32 which, int what)
{
	LOCKTAG		tag;

	SET_LOCKTAG_OBJECT(tag, InvalidOid, TableSpaceRelationId, which, what);
	tag.locktag_type = LOCKTAG_USERLOCK;
	return tag;
}

bool
ssdpar_profiles_lock_calibration(Oid tablespace)
{
	LOCKTAG		tag = lock_tag(ssdpar_tablespace_device(tablespace),
							   LOCK_CALIBRATION);

	return LockAcquire(&tag, ExclusiveLock, false, true) !=
		LOCKACQUIRE_NOT_AVAIL;
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
	SsdparProfileFile file = ssdpar_profiles_read();

	refuse_unreadable(&file);
}

/*
 * What makes no sense is replaced; what cannot be read may be good, and what an
 * older version wrote is good for that one.  OIDs of tablespaces that are gone
 * may come to be others'.
 */
SsdparStored *
ssdpar_profiles_begin_change(void)
{
	LOCKTAG		tag = lock_tag(0, LOCK_CHANGES);
	SsdparProfileFile file;
	ListCell   *lc;

	(void) LockAcquire(&tag, ExclusiveLock, false, false);
	file = ssdpar_profiles_read();
	refuse_unreadable(&file);
	if (file.is_old && link(SSDPAR_PROFILE_FILE, OLD_FILE) != 0 &&
		errno != EEXIST)
		ereport(ERROR,
				(errcode_for_file_access(),
				 errmsg("could not link file \"%s\" to \"%s\": %m",
						SSDPAR_PROFILE_FILE, OLD_FILE)));
	if (file.problem != NULL)
		ereport(WARNING,
				(errcode(ERRCODE_DATA_CORRUPTED),
				 errmsg("all device profiles are replaced: %s",
						file.problem)));
	foreach(lc, file.stored->profiles)
	{
		const SsdparStoredProfile *profile = lfirst(lc);

		if (get_tablespace_name(profile->tablespace) == NULL)
			file.stored->profiles =
				foreach_delete_current(file.stored->profiles, lc);
	}
	return file.stored;
}

void
ssdpar_profiles_finish_change(const SsdparStored *stored)
{
	LOCKTAG		tag = lock_tag(0, LOCK_CHANGES);

	write_file(stored);
	own_version++;
	if (shared != NULL)
		pg_atomic_fetch_add_u64(&shared->changes, 1);
	(void) LockRelease(&tag, ExclusiveLock, false);
}

/* ----- what other sessions change ----- */

/*
 * Each file that is renamed has been made while the one before was there, so
 * the two differ in their inode; one that a user put there, by its time.
 */
static bool
has_file_changed(void)
{
	static struct stat last;
	struct stat now;
	bool		changed;

	if (stat(SSDPAR_PROFILE_FILE, &now) != 0)
		memset(&now, 0, sizeof(now));
	changed = now.st_ino != last.st_ino || now.st_size != last.st_size ||
		now.st_mtim.tv_sec != last.st_mtim.tv_sec ||
		now.st_mtim.tv_nsec != last.st_mtim.tv_nsec;
	last = now;
	return changed;
}

/* Both numbers only grow, so their sum tells each change of either. */
uint64
ssdpar_profiles_version(void)
{
	static TimestampTz looked = 0;
	TimestampTz statement = GetCurrentStatementStartTimestamp();

	if (shared != NULL)
		return own_version + pg_atomic_read_u64(&shared->changes);
	if (looked != statement)
	{
		looked = statement;
		if (has_file_changed())
			own_version++;
	}
	return own_version;
}

Size
ssdpar_profiles_shmem_size(void)
{
	return sizeof(SharedProfiles);
}

void
ssdpar_profiles_shmem_init(void *part)
{
	shared = part;
	pg_atomic_init_u64(&shared->changes, 0);
}
