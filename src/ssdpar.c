/*
 * ssdpar.c
 *		Library entry point.
 *
 * ssdpar needs no shared memory, so shared_preload_libraries,
 * session_preload_libraries and LOAD all give the same library.
 */
#include "postgres.h"

#include "fmgr.h"

#include "hooks.h"
#include "partition/partition_path.h"
#include "settings.h"

PG_MODULE_MAGIC;

PGDLLEXPORT void _PG_init(void);

void
_PG_init(void)
{
	ssdpar_define_settings();
	ssdpar_register_partition_scan();
	ssdpar_install_hooks();
}
