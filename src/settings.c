/*
 * settings.c
 *		Defines every ssdpar.* setting.  Nothing else defines one.
 */
#include "postgres.h"

#include "utils/guc.h"

#include "settings.h"

bool		ssdpar_enabled = true;
int			ssdpar_subqueries = 0;
int			ssdpar_partition = SSDPAR_PARTITION_AUTO;

static const struct config_enum_entry partition_choices[] = {
	{"auto", SSDPAR_PARTITION_AUTO, false},
	{"dimension", SSDPAR_PARTITION_DIMENSION, false},
	{"fact", SSDPAR_PARTITION_FACT, false},
	{NULL, 0, false},
};

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

	MarkGUCPrefixReserved("ssdpar");
}
