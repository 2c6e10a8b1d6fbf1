/*
 * room.c
 *		How much a calibration in the background leaves free.
 *
 * Who calibrates by hand chooses the moment and sees what is free; here that is
 * left to the server, and what it may write until it notices has to find room:
 * the WAL up to its next checkpoint, and a load that has just begun.
 */
#include "postgres.h"

#include <sys/stat.h>
#include <sys/statvfs.h>

#include "access/xlog.h"
#include "access/xlog_internal.h"

#include "device/device_row.h"
#include "recalibrate/room.h"

/* Of the file system, and no more than that of a very large one. */
#define SHARE 0.1
#define MOST_BYTES ((int64) 64 << 30)

/* What max_wal_size lets the WAL grow to, if it is written there. */
static int64
room_for_wal(dev_t device)
{
	struct stat wal;

	if (stat(XLOGDIR, &wal) != 0 || wal.st_dev != device)
		return 0;
	return (int64) max_wal_size_mb << 20;
}

int64
ssdpar_room_for_others(Oid tablespace)
{
	char		directory[MAXPGPATH];
	struct statvfs fs;
	struct stat place;
	int64		share;

	ssdpar_tablespace_directory(tablespace, directory, sizeof(directory));
	if (statvfs(directory, &fs) != 0 || stat(directory, &place) != 0)
		return 0;
	share = (int64) Min(SHARE * (double) fs.f_blocks * (double) fs.f_frsize,
						(double) MOST_BYTES);
	return Max(share, room_for_wal(place.st_dev));
}
