/*
 * settings.c
 *		Defines all ssdpar.* settings.
 */
#include "postgres.h"

#include <limits.h>

#include "miscadmin.h"
#include "pgstat.h"
#include "utils/guc.h"

#include "base/settings.h"
#include "base/without.h"

bool		ssdpar_enabled = true;
int			ssdpar_subqueries = 0;
int			ssdpar_partition = SSDPAR_PARTITION_AUTO;

bool		ssdpar_index_join = true;
bool		ssdpar_star_scan = true;
int			ssdpar_star_access = SSDPAR_STAR_AUTO;
int			ssdpar_shard_keys = 0;

int			ssdpar_prefetch = SSDPAR_PREFETCH_AUTO;
int			ssdpar_prefetch_min_size = 64 * 1024;
int			ssdpar_prefetch_window = 32 * 1024;
int			ssdpar_prefetch_io_size = 256;
int			ssdpar_io_concurrency = 0;
double		ssdpar_write_protection = SSDPAR_DEFAULT_WRITE_PROTECTION;
bool		ssdpar_daemon_autostart = true;
char	   *ssdpar_daemon_socket = NULL;


bool		ssdpar_cost_model = true;
int			ssdpar_cost_model_min_size = SSDPAR_DEFAULT_MIN_SIZE;
int			ssdpar_residency = SSDPAR_RESIDENCY_AUTO;
int			ssdpar_residency_ttl = 10;
int			ssdpar_io_budget = 0;

unsigned int ssdpar_without_features = 0;
static char *without_text = NULL;

/* In the order of SsdparFeature. */
static const char *const without_names[] = {
	"star_bitmap",
	"star_sequential",
	"star_joins",
	"star_columns",
	"scan_prices",
	"loop_prices",
	"load",
	"split",
};

StaticAssertDecl(lengthof(without_names) == SSDPAR_NFEATURES,
				 "a name for each feature");

static const struct config_enum_entry residency_choices[] = {
	{"auto", SSDPAR_RESIDENCY_AUTO, false},
	{"cold", SSDPAR_RESIDENCY_COLD, false},
	{"hot", SSDPAR_RESIDENCY_HOT, false},
	{NULL, 0, false},
};

static const struct config_enum_entry prefetch_choices[] = {
	{"auto", SSDPAR_PREFETCH_AUTO, false},
	{"daemon", SSDPAR_PREFETCH_DAEMON, false},
	{"local", SSDPAR_PREFETCH_LOCAL, false},
	{"off", SSDPAR_PREFETCH_OFF, false},
	{NULL, 0, false},
};

static const struct config_enum_entry partition_choices[] = {
	{"auto", SSDPAR_PARTITION_AUTO, false},
	{"dimension", SSDPAR_PARTITION_DIMENSION, false},
	{"fact", SSDPAR_PARTITION_FACT, false},
	{NULL, 0, false},
};

static const struct config_enum_entry star_access_choices[] = {
	{"auto", SSDPAR_STAR_AUTO, false},
	{"bitmap", SSDPAR_STAR_BITMAP, false},
	{"sequential", SSDPAR_STAR_SEQUENTIAL, false},
	{NULL, 0, false},
};

static void
define_join_settings(void)
{
	DefineCustomBoolVariable("ssdpar.index_join",
							 "Lets the planner look up the rows of a nested loop's outer side in batches.",
							 "Has no effect on tablespaces that have not been calibrated.",
							 &ssdpar_index_join, true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);
}

static void
define_star_settings(void)
{
	DefineCustomBoolVariable("ssdpar.star_scan",
							 "Lets the planner reduce a fact table by the keys of its dimensions while it is scanned.",
							 NULL,
							 &ssdpar_star_scan, true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomEnumVariable("ssdpar.star_access",
							 "How a star scan reads the fact table.",
							 "auto decides by the predicted time, also whether there is a star scan at all; bitmap and sequential force one wherever it is possible.",
							 &ssdpar_star_access, SSDPAR_STAR_AUTO,
							 star_access_choices,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.shard_keys",
							"Maximum number of keys of a dimension to send with the query of a foreign table.",
							"0 sends none.",
							&ssdpar_shard_keys, 0, 0, SSDPAR_MAX_SHARD_KEYS,
							PGC_USERSET, GUC_EXPLAIN,
							NULL, NULL, NULL);
}

static void
define_cost_settings(void)
{
	DefineCustomBoolVariable("ssdpar.cost_model",
							 "Prices scans by the device profile instead of the page cost settings.",
							 "Has no effect on tablespaces that have not been calibrated.",
							 &ssdpar_cost_model, true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.cost_model_min_size",
							"Size of a query's largest table from which on ssdpar.cost_model applies to it.",
							"Said for a device that reads 500 MB/s, and proportionally less on a slower one, down to a sixteenth.",
							&ssdpar_cost_model_min_size,
							SSDPAR_DEFAULT_MIN_SIZE, 0, INT_MAX,
							PGC_USERSET, GUC_UNIT_KB | GUC_EXPLAIN,
							NULL, NULL, NULL);

	DefineCustomEnumVariable("ssdpar.residency",
							 "What the cost model assumes to be in memory.",
							 "auto checks, cold assumes nothing, hot assumes everything.",
							 &ssdpar_residency, SSDPAR_RESIDENCY_AUTO,
							 residency_choices, PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.residency_ttl",
							"How long the result of a check of what is in memory is reused.",
							NULL,
							&ssdpar_residency_ttl, 10, 0, 24 * 60 * 60,
							PGC_USERSET, GUC_UNIT_S,
							NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.io_budget",
							"Requests that plans may count on having outstanding on a device.",
							"0 is as many as saturate the device.",
							&ssdpar_io_budget, 0, 0, 4096,
							PGC_USERSET, GUC_EXPLAIN,
							NULL, NULL, NULL);
}

static void
define_prefetch_settings(void)
{
	DefineCustomEnumVariable("ssdpar.prefetch",
							 "What reads ahead of a query.",
							 "daemon is ssdpard, local is the server itself, off disables it; auto uses the daemon except for parallel scans and lists of pages.",
							 &ssdpar_prefetch, SSDPAR_PREFETCH_AUTO,
							 prefetch_choices, PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.prefetch_min_size",
							"Minimum size of a table for its sequential scan to be prefetched.",
							NULL,
							&ssdpar_prefetch_min_size, 64 * 1024, 0, INT_MAX,
							PGC_USERSET, GUC_UNIT_KB | GUC_EXPLAIN,
							NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.prefetch_window",
							"How far to prefetch ahead of a sequential scan.",
							NULL,
							&ssdpar_prefetch_window, 32 * 1024,
							1024, 1024 * 1024,
							PGC_USERSET, GUC_UNIT_KB | GUC_EXPLAIN,
							NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.prefetch_io_size",
							"Size of one read ahead of a sequential scan.",
							NULL,
							&ssdpar_prefetch_io_size, 256, BLCKSZ / 1024, 1024,
							PGC_USERSET, GUC_UNIT_KB,
							NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.io_concurrency",
							"Requests that one process keeps outstanding on the device.",
							"0 takes the saturation depth of the device profile.",
							&ssdpar_io_concurrency, 0, 0, 1024,
							PGC_USERSET, GUC_EXPLAIN,
							NULL, NULL, NULL);
}

/* Values between -1 and 0 are neither a time nor a switch. */
static bool
check_write_protection(double *newval, void **extra, GucSource source)
{
	if (*newval >= 0.0 || *newval == -1.0)
		return true;
	GUC_check_errdetail("The value must be at least 0 ms, or -1 to ignore writes.");
	return false;
}

static void
define_write_settings(void)
{
	DefineCustomRealVariable("ssdpar.write_protection",
							 "How long a write may have to wait behind reads ahead.",
							 "0 allows no more outstanding requests than the device processes at once, -1 ignores writes.",
							 &ssdpar_write_protection,
							 SSDPAR_DEFAULT_WRITE_PROTECTION, -1.0, 1000.0,
							 PGC_USERSET, GUC_UNIT_MS,
							 check_write_protection, NULL, NULL);
}

/*
 * The socket is in a folder whose contents pg_basebackup and pg_rewind skip.
 * For a socket elsewhere in the data directory, the former warns and the
 * latter fails.
 */
static void
define_daemon_settings(void)
{
	DefineCustomBoolVariable("ssdpar.daemon_autostart",
							 "Starts the prefetch daemon ssdpard with the server.",
							 "Set it to off if systemd or another service starts the daemon.",
							 &ssdpar_daemon_autostart, true,
							 process_shared_preload_libraries_in_progress ?
							 PGC_POSTMASTER : PGC_SIGHUP, 0,
							 NULL, NULL, NULL);

	DefineCustomStringVariable("ssdpar.daemon_socket",
							   "Socket of the prefetch daemon ssdpard.",
							   "A relative path starts at the data directory.",
							   &ssdpar_daemon_socket,
							   PG_STAT_TMP_DIR "/ssdpard.sock",
							   PGC_SIGHUP, 0,
							   NULL, NULL, NULL);
}

/*
 * Returns one bit for each feature; sets *unknown to the first unknown word.
 */
static unsigned int
features_of(const char *list, const char **unknown)
{
	unsigned int features = 0;

	*unknown = NULL;
	list += strspn(list, ", ");
	while (*list != '\0' && *unknown == NULL)
	{
		size_t		length = strcspn(list, ", ");
		int			i = 0;

		while (i < SSDPAR_NFEATURES &&
			   (strlen(without_names[i]) != length ||
				strncmp(list, without_names[i], length) != 0))
			i++;
		if (i < SSDPAR_NFEATURES)
			features |= 1U << i;
		else
			*unknown = list;
		list += length;
		list += strspn(list, ", ");
	}
	return features;
}

static bool
check_without(char **newval, void **extra, GucSource source)
{
	const char *unknown;

	(void) features_of(*newval, &unknown);
	if (unknown == NULL)
		return true;
	GUC_check_errdetail("Unrecognized feature: \"%s\".", unknown);
	return false;
}

static void
assign_without(const char *newval, void *extra)
{
	const char *unknown;

	ssdpar_without_features = features_of(newval, &unknown);
}

/* For developers only, so not in any list of settings. */
static void
define_developer_settings(void)
{
	DefineCustomStringVariable("ssdpar.without",
							   "Features that ssdpar does without.",
							   "For ./run bench ablation.",
							   &without_text, "",
							   PGC_USERSET,
							   GUC_NO_SHOW_ALL | GUC_NOT_IN_SAMPLE,
							   check_without, assign_without, NULL);
}

/*
 * GUC_EXPLAIN marks settings that can change a plan, for EXPLAIN (SETTINGS).
 */
void
ssdpar_define_settings(void)
{
	DefineCustomBoolVariable("ssdpar.enabled",
							 "Lets ssdpar take part in planning.",
							 "When off, every plan is the one the server makes without ssdpar.",
							 &ssdpar_enabled, true,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	DefineCustomIntVariable("ssdpar.subqueries",
							"Number of subqueries a star query is split into.",
							"0 chooses from the device profile, 1 never splits; a larger number is the number of processes that execute a partition, the leader included when it takes part.",
							&ssdpar_subqueries, 0, 0, SSDPAR_MAX_SUBQUERIES,
							PGC_USERSET, GUC_EXPLAIN,
							NULL, NULL, NULL);

	DefineCustomEnumVariable("ssdpar.partition",
							 "Which table of a star query is partitioned among its subqueries.",
							 "dimension is for index joins, fact for hash joins, auto lets the predicted time decide.",
							 &ssdpar_partition, SSDPAR_PARTITION_AUTO,
							 partition_choices,
							 PGC_USERSET, GUC_EXPLAIN,
							 NULL, NULL, NULL);

	define_cost_settings();
	define_join_settings();
	define_star_settings();
	define_prefetch_settings();
	define_write_settings();
	define_daemon_settings();
	define_developer_settings();
	MarkGUCPrefixReserved("ssdpar");
}
