/*
 * settings.h
 *		The ssdpar.* settings, documented in docs/reference/settings.md and in
 *		their entries in settings.c.
 */
#ifndef SSDPAR_SETTINGS_H
#define SSDPAR_SETTINGS_H

/* Upper bound of ssdpar.subqueries. */
#define SSDPAR_MAX_SUBQUERIES 64

/* kB */
#define SSDPAR_DEFAULT_MIN_SIZE (64 * 1024)

/* milliseconds */
#define SSDPAR_DEFAULT_WRITE_PROTECTION 0.25

/*
 * Most keys that are sent to a remote server in one parameter.  With 20 digits
 * and a comma each, they need less than 1 GB, the limit of a value.
 */
#define SSDPAR_MAX_SHARD_KEYS 10000000

typedef enum SsdparPartitionChoice
{
	SSDPAR_PARTITION_AUTO,
	SSDPAR_PARTITION_DIMENSION,
	SSDPAR_PARTITION_FACT,
} SsdparPartitionChoice;

typedef enum SsdparPrefetch
{
	SSDPAR_PREFETCH_AUTO,
	SSDPAR_PREFETCH_DAEMON,
	SSDPAR_PREFETCH_LOCAL,
	SSDPAR_PREFETCH_OFF,
} SsdparPrefetch;

/* Assumption about the pages that are in memory. */
typedef enum SsdparResidencyChoice
{
	SSDPAR_RESIDENCY_AUTO,
	SSDPAR_RESIDENCY_COLD,
	SSDPAR_RESIDENCY_HOT,
} SsdparResidencyChoice;

/* How a star scan reads its fact; a plan has one of the latter two. */
typedef enum SsdparStarAccess
{
	SSDPAR_STAR_AUTO,			/* the planner chooses */
	SSDPAR_STAR_BITMAP,
	SSDPAR_STAR_SEQUENTIAL,
} SsdparStarAccess;

extern bool ssdpar_enabled;
extern int	ssdpar_subqueries;
extern int	ssdpar_partition;	/* an SsdparPartitionChoice */

extern bool ssdpar_index_join;

extern bool ssdpar_star_scan;
extern int	ssdpar_star_access; /* an SsdparStarAccess */
extern int	ssdpar_shard_keys;	/* 0: none are sent */

extern int	ssdpar_prefetch;	/* an SsdparPrefetch */
extern int	ssdpar_prefetch_min_size;	/* kB */
extern int	ssdpar_prefetch_window; /* kB */
extern int	ssdpar_prefetch_io_size;	/* kB */
extern int	ssdpar_io_concurrency;	/* 0: the profile's saturation depth */
extern double ssdpar_write_protection;	/* ms; negative: none */
extern bool ssdpar_daemon_autostart;
extern char *ssdpar_daemon_socket;	/* if relative: in the data directory */


extern bool ssdpar_cost_model;
extern int	ssdpar_cost_model_min_size; /* kB */
extern int	ssdpar_residency;	/* an SsdparResidencyChoice */
extern int	ssdpar_residency_ttl;	/* seconds */
extern int	ssdpar_io_budget;	/* requests; 0: any number */

extern void ssdpar_define_settings(void);

#endif							/* SSDPAR_SETTINGS_H */
