/*
 * profile_file.h
 *		The file in the data directory that holds the server's device profiles.
 */
#ifndef SSDPAR_PROFILE_FILE_H
#define SSDPAR_PROFILE_FILE_H

#include "device/profile_json.h"

#define SSDPAR_PROFILE_FILE "ssdpar.profile"

/* What was read. */
typedef struct SsdparProfileFile
{
	SsdparStored *stored;		/* nothing in it if there is no such file */
	const char *problem;		/* NULL, or why there is nothing in it */
	bool		unreadable;		/* a problem of the system, not of content */
	bool		is_old;			/* an older version wrote it */
} SsdparProfileFile;

/* Into the current memory context.  Raises no error but for memory. */
extern SsdparProfileFile ssdpar_profiles_read(void);

/*
 * Another number whenever the above may give something else.  Costs a look at
 * shared memory, or without it a stat() a statement.
 */
extern uint64 ssdpar_profiles_version(void);

/*
 * To change profiles or links: begin waits until no other process changes any,
 * and gives what the file holds; finish replaces the file, whose content other
 * sessions see from then on.  Between the two an error leaves all as it was.
 * The change is not undone when the transaction is.
 */
extern SsdparStored *ssdpar_profiles_begin_change(void);
extern void ssdpar_profiles_finish_change(const SsdparStored *stored);

/* Raises the error of a file that cannot be changed. */
extern void ssdpar_profiles_check_changeable(void);

/*
 * Locks the calibration of a tablespace's device, in all databases, until the
 * transaction ends.  False if another transaction has it.
 */
extern bool ssdpar_profiles_lock_calibration(Oid tablespace);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_profiles_shmem_size(void);
extern void ssdpar_profiles_shmem_init(void *part);

#endif							/* SSDPAR_PROFILE_FILE_H */
