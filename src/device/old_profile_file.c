/*
 * old_profile_file.c
 *		The file of device profiles as it was before it was JSON.
 *
 * A header, the devices, the points, each record as it lies in memory; where
 * links to other servers are known, their number and size and they.  The
 * header comes with a checksum of all behind it and the sizes of the records.
 * What the values say is checked when they are read as JSON (profile_file.c).
 */
#include "postgres.h"

#include "port/pg_crc32c.h"

#include "device/old_profile_file.h"

#define DEVICES_MAX 1024
#define POINTS_MAX 65536
#define LINKS_MAX 4096

StaticAssertDecl(sizeof(SsdparStoredDevice) == 1368 &&
				 sizeof(SsdparStoredPoint) == 88 &&
				 sizeof(SsdparStoredLink) == 528,
				 "the records of former files must keep their layout");

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
	if (header->nlinks == 0 || header->nlinks > LINKS_MAX ||
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
	else if (header->version != VERSION ||
			 header->device_size != sizeof(SsdparStoredDevice) ||
			 header->point_size != sizeof(SsdparStoredPoint))
		problem = "the file ssdpar.profile is of another version of ssdpar";
	else if (header->ndevices > DEVICES_MAX ||
			 header->npoints > POINTS_MAX)
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

/* Texts end within their fields, and are valid in all encodings. */
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

bool
ssdpar_is_old_profile(const char *data, Size size)
{
	return size >= strlen(SSDPAR_OLD_PROFILE_MAGIC) &&
		memcmp(data, SSDPAR_OLD_PROFILE_MAGIC,
			   strlen(SSDPAR_OLD_PROFILE_MAGIC)) == 0;
}

const char *
ssdpar_old_profile_read(const char *data, Size size, SsdparStored *stored)
{
	Header		header;
	LinksHeader links;
	const char *problem = check(data, size, &header);
	Size		known;

	if (problem != NULL)
		return problem;
	known = file_size(header.ndevices, header.npoints);
	problem = check_links(data + known, size - known, &links);
	if (problem != NULL)
		return problem;
	data += sizeof(Header);
	for (uint32 i = 0; i < header.ndevices; i++)
	{
		memcpy(ssdpar_stored_add(stored), data, sizeof(SsdparStoredDevice));
		data += sizeof(SsdparStoredDevice);
	}
	for (uint32 i = 0; i < header.npoints; i++)
	{
		memcpy(ssdpar_stored_add_point(stored), data,
			   sizeof(SsdparStoredPoint));
		data += sizeof(SsdparStoredPoint);
	}
	data += sizeof(LinksHeader);
	for (uint32 i = 0; i < links.nlinks; i++)
	{
		memcpy(ssdpar_stored_add_link(stored), data, sizeof(SsdparStoredLink));
		data += sizeof(SsdparStoredLink);
	}
	settle_values(stored);
	return NULL;
}
