/*
 * ssdpar.c
 *		Library entry point.
 *
 * All features need shared_preload_libraries.  With session_preload_libraries
 * or LOAD there is no shared memory, so counters belong to the session, and no
 * supervisor, so the prefetch daemon must be started from outside and nothing
 * is calibrated in the background.
 */
#include "postgres.h"

#include "fmgr.h"

#include "hooks.h"
#include "index_join/plan/path.h"
#include "shards/plan/keys_param.h"
#include "split/path.h"
#include "starscan/plan/keys_path.h"
#include "starscan/plan/path.h"
#include "prefetch/supervisor.h"
#include "base/settings.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	ssdpar_define_settings();
	ssdpar_register_partition_scan();
	ssdpar_register_star_scan();
	ssdpar_register_star_keys();
	ssdpar_register_shard_keys();
	ssdpar_register_index_join();
	ssdpar_install_hooks();
	ssdpar_register_supervisor();
}
