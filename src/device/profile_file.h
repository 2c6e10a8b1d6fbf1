/*
 * profile_file.h
 *		The file in the data directory that holds the server's device profiles.
 */
#ifndef SSDPAR_PROFILE_FILE_H
#define SSDPAR_PROFILE_FILE_H

#include "device/stored_profile.h"

#define SSDPAR_PROFILE_FILE "ssdpar.profile"

/* What was read. */
typedef struct SsdparProfileFile
{
	SsdparStored *stored;		/* nothing in it if there is no such file */
	const char *problem;		/* a constant, or NULL; then nothing in it */
	bool		unreadable;		/* a problem of the system, not of content */
} SsdparProfileFile;

/* Into the current memory context.  Raises no error but for memory. */
extern SsdparProfileFile ssdpar_profile_file_read(void);

/*
 * Writing takes two steps, with one writer at a time: all that can fail, which
 * raises an error and leaves the file as it is; and the exchange, which warns
 * if it fails.  Of nothing there is no file.
 */
extern void ssdpar_profile_file_prepare(const SsdparStored *stored);
extern void ssdpar_profile_file_exchange(const SsdparStored *stored);

/* What was prepared is not wanted any more. */
extern void ssdpar_profile_file_forget(void);

/* Is the file another one than at the last call? */
extern bool ssdpar_profile_file_changed(void);

#endif							/* SSDPAR_PROFILE_FILE_H */
