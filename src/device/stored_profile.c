/*
 * stored_profile.c
 *		Device profiles in memory: those of all tablespaces of the server, and
 *		the links to other servers.
 */
#include "postgres.h"

#include "stored_profile.h"

/* Arrays grow by this number of elements. */
#define STEP 64

/* An array of COUNT records with room for one more, which is zeroed. */
static void *
grow(void *array, int count, Size size)
{
	if (array == NULL)
		array = palloc(STEP * size);
	else if (count % STEP == 0)
		array = repalloc(array, (Size) (count + STEP) * size);
	memset((char *) array + (Size) count * size, 0, size);
	return array;
}

SsdparStoredDevice *
ssdpar_stored_add(SsdparStored *stored)
{
	stored->devices = grow(stored->devices, stored->ndevices,
						   sizeof(SsdparStoredDevice));
	return &stored->devices[stored->ndevices++];
}

SsdparStoredPoint *
ssdpar_stored_add_point(SsdparStored *stored)
{
	stored->points = grow(stored->points, stored->npoints,
						  sizeof(SsdparStoredPoint));
	return &stored->points[stored->npoints++];
}

SsdparStoredLink *
ssdpar_stored_add_link(SsdparStored *stored)
{
	stored->links = grow(stored->links, stored->nlinks,
						 sizeof(SsdparStoredLink));
	return &stored->links[stored->nlinks++];
}

SsdparStoredDevice *
ssdpar_stored_find(const SsdparStored *stored, Oid tablespace)
{
	for (int i = 0; i < stored->ndevices; i++)
		if (stored->devices[i].tablespace == tablespace)
			return &stored->devices[i];
	return NULL;
}

SsdparStoredLink *
ssdpar_stored_find_link(const SsdparStored *stored, const char *address)
{
	for (int i = 0; i < stored->nlinks; i++)
		if (strcmp(stored->links[i].address, address) == 0)
			return &stored->links[i];
	return NULL;
}

/* The order of the others stays. */
bool
ssdpar_stored_remove(SsdparStored *stored, Oid tablespace)
{
	SsdparStoredDevice *device = ssdpar_stored_find(stored, tablespace);
	int			kept = 0;

	if (device == NULL)
		return false;
	stored->ndevices--;
	memmove(device, device + 1, (stored->devices + stored->ndevices - device) *
			sizeof(SsdparStoredDevice));
	for (int i = 0; i < stored->npoints; i++)
		if (stored->points[i].tablespace != tablespace)
			stored->points[kept++] = stored->points[i];
	stored->npoints = kept;
	return true;
}

/* The order of the others stays. */
bool
ssdpar_stored_remove_link(SsdparStored *stored, const char *address)
{
	SsdparStoredLink *link = ssdpar_stored_find_link(stored, address);

	if (link == NULL)
		return false;
	stored->nlinks--;
	memmove(link, link + 1, (stored->links + stored->nlinks - link) *
			sizeof(SsdparStoredLink));
	return true;
}
