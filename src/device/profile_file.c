/*
 * profile_file.c
 *		The file in the data directory that holds the server's device profiles.
 *
 * A header, the devices, the points, each record as it lies in memory; where
 * links to other servers are known, their number and size and they.  The
 * header comes with a checksum of all behind it, so that a file that is cut
 * off, damaged or from elsewhere is noticed, and with the sizes of the records.
 * Magic, version and checksum keep their places in all versions.
 *
 * A new file is written beside the old one, flushed, and renamed over it: after
 * a crash there is the one or the other.  The name of the temporary file is one
 * that pg_basebackup leaves out; what a crash leaves of it is overwritten by
 * the next change.  The file itself is in a base backup.  What was measured on
 * another device is not used there, as each profile knows its device
 * (known_devices.c), and is still right after a restore to the same one.
 *
 * Reading is for the planner: whatever is wrong is said, and no error.
 */
#include "postgres.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "miscadmin.h"
#include "port/pg_crc32c.h"
#include "storage/fd.h"

#include "base/compat.h"
#include "device/profile_file.h"

#define TEMPORARY_FILE PG_TEMP_FILE_PREFIX "_" SSDPAR_PROFILE_FILE

#define MAGIC "SSDPARDP"
#define VERSION 2

typedef struct Header
{
	char		magic[8];
	uint32		version;
	pg_crc32c	checksum;		/* of all that follows */
	uint32		device_size;
	uint32		point_size;
	uint32		ndevices;
	uint32		npoints;
} Header;

#define CHECKED_FROM offsetof(Header, device_size)

/*
 * Behind the points, if there are links at all: a file without them is the same
 * as before there were any.
 */
typedef struct LinksHeader
{
	uint32		link_size;
	uint32		nlinks;
} LinksHeader;

#define LARGEST_FILE \
	(sizeof(Header) + sizeof(LinksHeader) + \
	 SSDPAR_STORED_DEVICES_MAX * sizeof(SsdparStoredDevice) + \
	 SSDPAR_STORED_POINTS_MAX * sizeof(SsdparStoredPoint) + \
	 SSDPAR_STORED_LINKS_MAX * sizeof(SsdparStoredLink))

static pg_crc32c
checksum(const char *data, Size size)
{
	pg_crc32c	crc;

	INIT_CRC32C(crc);
	COMP_CRC32C(crc, data + CHECKED_FROM, size - CHECKED_FROM);
	FIN_CRC32C(crc);
	return crc;
}

/* The counts are known to be small: nothing overflows. */
static Size
file_size(uint32 ndevices, uint32 npoints)
{
	return sizeof(Header) + ndevices * sizeof(SsdparStoredDevice) +
		npoints * sizeof(SsdparStoredPoint);
}

static Size
links_size(uint32 nlinks)
{
	return nlinks == 0 ? 0 :
		sizeof(LinksHeader) + nlinks * sizeof(SsdparStoredLink);
}

/* NULL, or why the SIZE bytes at DATA, behind the points, are no links. */
static const char *
check_links(const char *data, Size size, LinksHeader *header)
{
	memset(header, 0, sizeof(LinksHeader));
	if (size == 0)
		return NULL;
	if (size < sizeof(LinksHeader))
		return "the file ssdpar.profile is damaged";
	memcpy(header, data, sizeof(LinksHeader));
	if (header->link_size != sizeof(SsdparStoredLink))
		return "the file ssdpar.profile is of another version of ssdpar";
	if (header->nlinks == 0 || header->nlinks > SSDPAR_STORED_LINKS_MAX ||
		size != links_size(header->nlinks))
		return "the file ssdpar.profile is damaged";
	return NULL;
}

/* NULL, or why DATA cannot be used.  HEADER is filled in as far as it goes. */
static const char *
check(const char *data, Size size, Header *header)
{
	const char *problem = NULL;

	memset(header, 0, sizeof(Header));
	memcpy(header, data, Min(size, sizeof(Header)));
	if (size < sizeof(Header))
		problem = "the file ssdpar.profile is cut off";
	else if (memcmp(header->magic, MAGIC, sizeof(header->magic)) != 0)
		problem = "the file ssdpar.profile is something else";
	else if (header->version > VERSION)
		problem = "the file ssdpar.profile is of a newer version of ssdpar";
	else if (header->version != VERSION ||
			 header->device_size != sizeof(SsdparStoredDevice) ||
			 header->point_size != sizeof(SsdparStoredPoint))
		problem = "the file ssdpar.profile is of another version of ssdpar";
	else if (header->ndevices > SSDPAR_STORED_DEVICES_MAX ||
			 header->npoints > SSDPAR_STORED_POINTS_MAX)
		problem = "the file ssdpar.profile is damaged";
	else if (size < file_size(header->ndevices, header->npoints))
		problem = "the file ssdpar.profile is cut off";
	else if (checksum(data, size) != header->checksum)
		problem = "the file ssdpar.profile is damaged";
	return problem;
}

static void
end_text(char *text, Size size)
{
	text[size - 1] = '\0';
	for (; *text != '\0'; text++)
		if (IS_HIGHBIT_SET(*text))
			*text = '?';
}

/* Any byte becomes true or false; as a bool others may not even be read. */
static void
settle_bool(bool *place)
{
	unsigned char byte;

	memcpy(&byte, place, 1);
	*place = byte != 0;
}

/*
 * Whoever wrote it, no text goes on behind its field, and each is valid in all
 * encodings.
 */
static void
settle_values(SsdparStored *stored)
{
	for (int i = 0; i < stored->ndevices; i++)
	{
		SsdparStoredDevice *device = &stored->devices[i];

		settle_bool(&device->rotational);
		end_text(device->identity, sizeof(device->identity));
		end_text(device->disk, sizeof(device->disk));
		end_text(device->model, sizeof(device->model));
		end_text(device->file_system, sizeof(device->file_system));
		end_text(device->engine_version, sizeof(device->engine_version));
		end_text(device->server_version, sizeof(device->server_version));
		end_text(device->inside_verdict, sizeof(device->inside_verdict));
		end_text(device->inside_mapping, sizeof(device->inside_mapping));
	}
	for (int i = 0; i < stored->npoints; i++)
	{
		end_text(stored->points[i].operation,
				 sizeof(stored->points[i].operation));
		end_text(stored->points[i].pattern, sizeof(stored->points[i].pattern));
	}
	for (int i = 0; i < stored->nlinks; i++)
		end_text(stored->links[i].address, sizeof(stored->links[i].address));
}

static const char *
decode(char *data, Size size, SsdparStored **stored)
{
	Header		header;
	LinksHeader links;
	const char *problem = check(data, size, &header);
	Size		known;
	SsdparStored view;
	SsdparStored *copy;

	if (problem != NULL)
		return problem;
	known = file_size(header.ndevices, header.npoints);
	problem = check_links(data + known, size - known, &links);
	if (problem != NULL)
		return problem;
	view.ndevices = header.ndevices;
	view.npoints = header.npoints;
	view.nlinks = links.nlinks;
	view.links = (SsdparStoredLink *) (data + known + sizeof(LinksHeader));
	view.devices = (SsdparStoredDevice *) (data + sizeof(Header));
	view.points = (SsdparStoredPoint *) (view.devices + view.ndevices);
	copy = ssdpar_stored_copy(&view);
	settle_values(copy);
	if (!ssdpar_stored_keys_differ(copy))
		return "the file ssdpar.profile is damaged";
	*stored = copy;
	return NULL;
}

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
	if (status.st_size > (off_t) LARGEST_FILE)
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
 * Not by OpenTransientFile(), which raises an error where descriptors have run
 * out.  So nothing may raise one before it is closed: a log line looks for a
 * cancel.  Its kind is looked at first: to open a FIFO would wait.
 */
SsdparProfileFile
ssdpar_profile_file_read(void)
{
	SsdparProfileFile file = {0};
	struct stat status;
	Size		size = 0;
	char	   *data;
	int			fd;

	file.stored = ssdpar_stored_make();
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
	if (data != NULL && file.problem == NULL)
		file.problem = decode(data, size, &file.stored);
	if (data != NULL)
		pfree(data);
	return file;
}

static char *
encode(const SsdparStored *stored, Size *size)
{
	Header		header = {
		.version = VERSION,
		.device_size = sizeof(SsdparStoredDevice),
		.point_size = sizeof(SsdparStoredPoint),
		.ndevices = stored->ndevices,
		.npoints = stored->npoints,
	};
	LinksHeader links = {
		.link_size = sizeof(SsdparStoredLink),
		.nlinks = stored->nlinks,
	};
	Size		known = file_size(header.ndevices, header.npoints);
	char	   *data;
	char	   *points;

	memcpy(header.magic, MAGIC, sizeof(header.magic));	/* no final zero */
	*size = known + links_size(links.nlinks);
	data = palloc(*size);
	points = data + file_size(header.ndevices, 0);
	memcpy(data, &header, sizeof(header));
	memcpy(data + sizeof(header), stored->devices,
		   stored->ndevices * sizeof(SsdparStoredDevice));
	memcpy(points, stored->points,
		   stored->npoints * sizeof(SsdparStoredPoint));
	if (links.nlinks > 0)
	{
		memcpy(data + known, &links, sizeof(links));
		memcpy(data + known + sizeof(links), stored->links,
			   links.nlinks * sizeof(SsdparStoredLink));
	}
	header.checksum = checksum(data, *size);
	memcpy(data, &header, sizeof(header));
	return data;
}

static void
fail_to_write(void)
{
	ereport(ERROR,
			(errcode_for_file_access(),
			 errmsg("could not write device profiles to \"%s\": %m",
					TEMPORARY_FILE),
			 errdetail("The profiles are as they were.")));
}

static bool
is_empty(const SsdparStored *stored)
{
	return stored->ndevices == 0 && stored->npoints == 0 &&
		stored->nlinks == 0;
}

void
ssdpar_profile_file_prepare(const SsdparStored *stored)
{
	Size		size;
	char	   *data;
	int			fd;

	if (is_empty(stored))
		return;
	data = encode(stored, &size);
	fd = OpenTransientFile(TEMPORARY_FILE,
						   O_WRONLY | O_CREAT | O_TRUNC | PG_BINARY);
	if (fd < 0)
		fail_to_write();
	errno = ENOSPC;
	if (write(fd, data, size) != (ssize_t) size || pg_fsync(fd) != 0)
		fail_to_write();
	if (CloseTransientFile(fd) != 0)
		fail_to_write();
	pfree(data);
}

/* The transaction has ended well: nothing may fail any more. */
void
ssdpar_profile_file_exchange(const SsdparStored *stored)
{
	if (!is_empty(stored))
		(void) durable_rename(TEMPORARY_FILE, SSDPAR_PROFILE_FILE, WARNING);
	else if (access(SSDPAR_PROFILE_FILE, F_OK) == 0)
		(void) durable_unlink(SSDPAR_PROFILE_FILE, WARNING);
}

void
ssdpar_profile_file_forget(void)
{
	(void) unlink(TEMPORARY_FILE);
}

/*
 * Each file that is renamed has been made while the one before was there, so
 * the two differ in their inode; one that a user put there, by its time.
 */
bool
ssdpar_profile_file_changed(void)
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
