/*
 * cause.h
 *		Why a tablespace should be calibrated again.
 */
#ifndef SSDPAR_CAUSE_H
#define SSDPAR_CAUSE_H

#include "device/stored_profile.h"

typedef enum SsdparCause
{
	SSDPAR_CAUSE_NONE,
	SSDPAR_CAUSE_DEVICE,		/* it lies on another one than was measured */
	SSDPAR_CAUSE_DRIFT,			/* reads take longer, or less, than predicted */
	SSDPAR_CAUSE_QUICK,			/* only a first look was taken */
} SsdparCause;

/*
 * What speaks for it.  Nothing where the tablespace cannot be looked at, as on
 * a mount that has vanished, or where its profile was made by hand for any
 * device.
 */
extern SsdparCause ssdpar_cause_of(const SsdparStored *stored,
								   const SsdparStoredDevice *device);

/* In a word, for users; NULL for none. */
extern const char *ssdpar_cause_name(SsdparCause cause);

/* As the end of a sentence in the log. */
extern const char *ssdpar_cause_reason(SsdparCause cause);

#endif							/* SSDPAR_CAUSE_H */
