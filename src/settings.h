/*
 * settings.h
 *		The ssdpar.* settings.  Each is documented in docs/settings.md and in
 *		its entry in settings.c.
 */
#ifndef SSDPAR_SETTINGS_H
#define SSDPAR_SETTINGS_H

/* Upper bound of ssdpar.subqueries. */
#define SSDPAR_MAX_SUBQUERIES 64

typedef enum SsdparPartitionChoice
{
	SSDPAR_PARTITION_AUTO,
	SSDPAR_PARTITION_DIMENSION,
	SSDPAR_PARTITION_FACT,
} SsdparPartitionChoice;

extern bool ssdpar_enabled;
extern int	ssdpar_subqueries;
extern int	ssdpar_partition;	/* an SsdparPartitionChoice */

extern void ssdpar_define_settings(void);

#endif							/* SSDPAR_SETTINGS_H */
