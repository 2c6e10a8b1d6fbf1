/*
 * profile_changes.h
 *		The server's device profiles, as a transaction sees and changes them.
 */
#ifndef SSDPAR_PROFILE_CHANGES_H
#define SSDPAR_PROFILE_CHANGES_H

#include "device/profile_file.h"

/*
 * What this transaction sees: its own changes, or the file as it is now.  Into
 * the current memory context.
 */
extern SsdparProfileFile ssdpar_profiles_read(void);

/*
 * Until this transaction ends no other one changes any.  It cannot be prepared.
 */
extern void ssdpar_profiles_lock(void);

/* Has this transaction changed any?  Then no other one can until it ends. */
extern bool ssdpar_profiles_are_locked(void);

/*
 * Another number whenever the above may give something else.  Costs a look at
 * shared memory, or without it a stat() a statement.
 */
extern uint64 ssdpar_profiles_version(void);

/*
 * All profiles, to be changed by the caller: others see it when the transaction
 * commits, and until then no other transaction can change any.  Valid until
 * the next call.
 */
extern SsdparStored *ssdpar_profiles_change(void);

/*
 * What the file held when this transaction changed one first, and holds still.
 * Only after that.
 */
extern const SsdparStored *ssdpar_profiles_unchanged(void);

/* The same error where the file cannot be read, before work is put into it. */
extern void ssdpar_profiles_check_changeable(void);

/*
 * Locks the calibration of a tablespace's device, in all databases, until the
 * transaction ends.  False if another transaction has it.
 */
extern bool ssdpar_profiles_lock_calibration(Oid tablespace);

/* For the hooks of the same names. */
extern void ssdpar_profiles_request_shmem(void);
extern void ssdpar_profiles_attach_shmem(void);

#endif							/* SSDPAR_PROFILE_CHANGES_H */
