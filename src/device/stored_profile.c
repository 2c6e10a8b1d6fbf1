/*
 * stored_profile.c
 *		Device profiles as they are kept: of all tablespaces of the server, and
 *		the links to other servers.
 */
#include "postgres.h"

#include "stored_profile.h"

/* Arrays grow by so many elements. */
#define STEP 64

/* What an array of so many elements has room for. */
static Size
room(int count)
{
	return (Size) (count / STEP + 1) * STEP;
}

SsdparStored *
ssdpar_stored_make(void)
{
	SsdparStored *stored = palloc0(sizeof(SsdparStored));

	stored->devices = palloc(room(0) * sizeof(SsdparStoredDevice));
	stored->points = palloc(room(0) * sizeof(SsdparStoredPoint));
	stored->links = palloc(room(0) * sizeof(SsdparStoredLink));
	return stored;
}

SsdparStored *
ssdpar_stored_copy(const SsdparStored *stored)
{
	SsdparStored *copy = palloc(sizeof(SsdparStored));

	*copy = *stored;
	copy->devices = palloc(room(copy->ndevices) * sizeof(SsdparStoredDevice));
	copy->points = palloc(room(copy->npoints) * sizeof(SsdparStoredPoint));
	copy->links = palloc(room(copy->nlinks) * sizeof(SsdparStoredLink));
	memcpy(copy->devices, stored->devices,
		   copy->ndevices * sizeof(SsdparStoredDevice));
	memcpy(copy->points, stored->points,
		   copy->npoints * sizeof(SsdparStoredPoint));
	memcpy(copy->links, stored->links,
		   copy->nlinks * sizeof(SsdparStoredLink));
	return copy;
}

SsdparStoredDevice *
ssdpar_stored_find(const SsdparStored *stored, Oid tablespace)
{
	for (int i = 0; i < stored->ndevices; i++)
		if (stored->devices[i].tablespace == tablespace)
			return &stored->devices[i];
	return NULL;
}

bool
ssdpar_stored_add(SsdparStored *stored, const SsdparStoredDevice *device)
{
	Assert(ssdpar_stored_find(stored, device->tablespace) == NULL);
	if (stored->ndevices >= SSDPAR_STORED_DEVICES_MAX)
		return false;
	stored->devices[stored->ndevices++] = *device;
	stored->devices = repalloc(stored->devices, room(stored->ndevices) *
							   sizeof(SsdparStoredDevice));
	return true;
}

/* As the columns of the key are compared, 0 for the same key. */
static int
compare_points(const SsdparStoredPoint *a, const SsdparStoredPoint *b)
{
	int			order;

	if (a->tablespace != b->tablespace)
		return a->tablespace < b->tablespace ? -1 : 1;
	if (a->request_size != b->request_size)
		return a->request_size < b->request_size ? -1 : 1;
	if (a->queue_depth != b->queue_depth)
		return a->queue_depth < b->queue_depth ? -1 : 1;
	order = strcmp(a->operation, b->operation);
	return order != 0 ? order : strcmp(a->pattern, b->pattern);
}

SsdparStoredPoint *
ssdpar_stored_find_point(const SsdparStored *stored,
						 const SsdparStoredPoint *key)
{
	for (int i = 0; i < stored->npoints; i++)
		if (compare_points(&stored->points[i], key) == 0)
			return &stored->points[i];
	return NULL;
}

bool
ssdpar_stored_add_point(SsdparStored *stored, const SsdparStoredPoint *point)
{
	Assert(ssdpar_stored_find_point(stored, point) == NULL);
	if (stored->npoints >= SSDPAR_STORED_POINTS_MAX)
		return false;
	stored->points[stored->npoints++] = *point;
	stored->points = repalloc(stored->points, room(stored->npoints) *
							  sizeof(SsdparStoredPoint));
	return true;
}

/* The tablespace's next point from *index on, which goes behind it; or NULL. */
static const SsdparStoredPoint *
next_point(const SsdparStored *stored, Oid tablespace, int *index)
{
	while (*index < stored->npoints)
	{
		const SsdparStoredPoint *point = &stored->points[(*index)++];

		if (point->tablespace == tablespace)
			return point;
	}
	return NULL;
}

static bool
same_points(const SsdparStored *a, const SsdparStored *b, Oid tablespace)
{
	int			i = 0;
	int			j = 0;
	const SsdparStoredPoint *point;
	const SsdparStoredPoint *other;

	do
	{
		point = next_point(a, tablespace, &i);
		other = next_point(b, tablespace, &j);
		if (point == NULL || other == NULL)
			return point == other;
	} while (memcmp(point, other, sizeof(SsdparStoredPoint)) == 0);
	return false;
}

/* Records are zeroed before they are filled in: bytes can be compared. */
bool
ssdpar_stored_same(const SsdparStored *a, const SsdparStored *b,
				   Oid tablespace)
{
	const SsdparStoredDevice *device = ssdpar_stored_find(a, tablespace);
	const SsdparStoredDevice *other = ssdpar_stored_find(b, tablespace);

	if (device == NULL || other == NULL)
	{
		if (device != other)
			return false;
	}
	else if (memcmp(device, other, sizeof(SsdparStoredDevice)) != 0)
		return false;
	return same_points(a, b, tablespace);
}

/* The order of the others stays. */
void
ssdpar_stored_remove_point(SsdparStored *stored, SsdparStoredPoint *point)
{
	int			after = stored->npoints - (int) (point - stored->points) - 1;

	Assert(after >= 0 && after < stored->npoints);
	memmove(point, point + 1, after * sizeof(SsdparStoredPoint));
	stored->npoints--;
}

void
ssdpar_stored_remove(SsdparStored *stored, Oid tablespace)
{
	SsdparStoredDevice *device = ssdpar_stored_find(stored, tablespace);
	int			kept = 0;

	if (device != NULL)
	{
		int			after = stored->ndevices -
			(int) (device - stored->devices) - 1;

		memmove(device, device + 1, after * sizeof(SsdparStoredDevice));
		stored->ndevices--;
	}
	for (int i = 0; i < stored->npoints; i++)
		if (stored->points[i].tablespace != tablespace)
			stored->points[kept++] = stored->points[i];
	stored->npoints = kept;
}

SsdparStoredLink *
ssdpar_stored_find_link(const SsdparStored *stored, const char *address)
{
	for (int i = 0; i < stored->nlinks; i++)
		if (strcmp(stored->links[i].address, address) == 0)
			return &stored->links[i];
	return NULL;
}

bool
ssdpar_stored_put_link(SsdparStored *stored, const SsdparStoredLink *link)
{
	SsdparStoredLink *place = ssdpar_stored_find_link(stored, link->address);

	if (place != NULL)
		*place = *link;
	else if (stored->nlinks >= SSDPAR_STORED_LINKS_MAX)
		return false;
	else
	{
		stored->links[stored->nlinks++] = *link;
		stored->links = repalloc(stored->links, room(stored->nlinks) *
								 sizeof(SsdparStoredLink));
	}
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

/* ----- what a file may hold ----- */

static int
compare_device_places(const void *a, const void *b)
{
	const SsdparStoredDevice *one = *(SsdparStoredDevice *const *) a;
	const SsdparStoredDevice *other = *(SsdparStoredDevice *const *) b;

	if (one->tablespace == other->tablespace)
		return 0;
	return one->tablespace < other->tablespace ? -1 : 1;
}

static int
compare_point_places(const void *a, const void *b)
{
	return compare_points(*(SsdparStoredPoint *const *) a,
						  *(SsdparStoredPoint *const *) b);
}

static int
compare_link_places(const void *a, const void *b)
{
	return strcmp((*(SsdparStoredLink *const *) a)->address,
				  (*(SsdparStoredLink *const *) b)->address);
}

/* Does no record of an array have the key of another one? */
static bool
keys_differ(const void *records, int count, Size size,
			int (*compare) (const void *, const void *))
{
	const void **places = palloc((Size) Max(count, 1) * sizeof(void *));
	bool		differ = true;

	for (int i = 0; i < count; i++)
		places[i] = (const char *) records + (Size) i * size;
	qsort(places, count, sizeof(void *), compare);
	for (int i = 1; i < count && differ; i++)
		differ = compare(&places[i - 1], &places[i]) != 0;
	pfree(places);
	return differ;
}

bool
ssdpar_stored_keys_differ(const SsdparStored *stored)
{
	return keys_differ(stored->devices, stored->ndevices,
					   sizeof(SsdparStoredDevice), compare_device_places) &&
		keys_differ(stored->points, stored->npoints,
					sizeof(SsdparStoredPoint), compare_point_places) &&
		keys_differ(stored->links, stored->nlinks,
					sizeof(SsdparStoredLink), compare_link_places);
}
