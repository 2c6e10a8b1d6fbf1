/*
 * profile_json.h
 *		Device profiles as JSON: checked when it is read, the same when it is
 *		written and read again.
 *
 * docs/reference/device-profile.md describes the documents.  All functions that
 * read raise an error that names the member and what it must be.
 */
#ifndef SSDPAR_PROFILE_JSON_H
#define SSDPAR_PROFILE_JSON_H

#include "lib/stringinfo.h"
#include "utils/jsonb.h"

#include "device/stored_profile.h"

/* What ssdpar-probe --json and ssdpar-probe --inside --json call themselves. */
#define SSDPAR_PROFILE_FORMAT "ssdpar-probe"
#define SSDPAR_INSIDE_FORMAT "ssdpar-probe-inside"

/* Is this an object whose "format" is that one? */
extern bool ssdpar_json_has_format(JsonbContainer *document,
								   const char *format);

/* Adds the profile of a tablespace, and its points, to STORED. */
extern SsdparStoredDevice *ssdpar_profile_from_json(JsonbContainer *document,
													Oid tablespace,
													SsdparStored *stored);

/* Sets the identity of DEVICE, and the columns of what its inside shows. */
extern void ssdpar_inside_from_json(JsonbContainer *document,
									SsdparStoredDevice *device);

/* Copies the columns from FIRST to LAST, null where they are null. */
extern void ssdpar_device_copy_columns(const SsdparStoredDevice *from,
									   SsdparStoredDevice *to,
									   SsdparDeviceColumn first,
									   SsdparDeviceColumn last);

/* Appends a profile's document, which ssdpar_profile_from_json() takes. */
extern void ssdpar_profile_to_json(const SsdparStored *stored,
								   const SsdparStoredDevice *device,
								   StringInfo out);

/* The text of the whole file: all profiles and links. */
extern void ssdpar_stored_from_json(const char *text, SsdparStored *stored);
extern void ssdpar_stored_to_json(const SsdparStored *stored, StringInfo out);

#endif							/* SSDPAR_PROFILE_JSON_H */
