/*
 * old_profile_file.h
 *		The file of device profiles as it was before it was JSON.
 */
#ifndef SSDPAR_OLD_PROFILE_FILE_H
#define SSDPAR_OLD_PROFILE_FILE_H

#include "device/stored_profile.h"

#define SSDPAR_OLD_PROFILE_MAGIC "SSDPARDP"

/* Does the file with these bytes begin as such a one? */
extern bool ssdpar_is_old_profile(const char *data, Size size);

/*
 * Adds its records to STORED.  What they say is not checked.  Returns NULL, or
 * in constant words why it cannot be used.
 */
extern const char *ssdpar_old_profile_read(const char *data, Size size,
										   SsdparStored *stored);

#endif							/* SSDPAR_OLD_PROFILE_FILE_H */
