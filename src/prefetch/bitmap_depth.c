/*
 * bitmap_depth.c
 *		Number of requests that core's bitmap heap scans keep outstanding.
 *
 * Core uses effective_io_concurrency, which defaults to 1 up to PostgreSQL 17
 * and to 16 since, on any device.  If it was not set for the tablespace, nor
 * at any level that this session inherits from, calibrated devices are read at
 * their own depth: bitmap_heap.c gives it to the scans, and the cost model
 * uses it to price them.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/parallel.h"
#include "access/reloptions.h"
#include "catalog/pg_tablespace.h"
#include "commands/tablespace.h"
#include "miscadmin.h"
#include "storage/bufmgr.h"
#include "utils/spccache.h"
#include "utils/syscache.h"

#include "base/compat.h"
#include "base/settings.h"
#include "device/profile.h"
#include "prefetch/bitmap_depth.h"
#include "prefetch/leader_depth.h"

/* Does the tablespace have its effective_io_concurrency set? */
static bool
has_own_depth(Oid tablespace)
{
	HeapTuple	tuple = SearchSysCache1(TABLESPACEOID,
										ObjectIdGetDatum(tablespace));
	bool		own = false;
	bool		isnull;
	Datum		options;

	/* dropped meanwhile: use the setting, as the server does */
	if (!HeapTupleIsValid(tuple))
		return false;
	options = SysCacheGetAttr(TABLESPACEOID, tuple,
							  Anum_pg_tablespace_spcoptions, &isnull);
	if (!isnull)
	{
		TableSpaceOpts *parsed =
			(TableSpaceOpts *) tablespace_reloptions(options, false);

		own = parsed != NULL && parsed->effective_io_concurrency >= 0;
	}
	ReleaseSysCache(tuple);
	return own;
}

/*
 * A worker does not read a profile for this, but uses its leader's value.  0
 * if the tablespace is not calibrated.
 */
static int
device_depth(Oid tablespace)
{
	const SsdparProfile *profile;
	int			depth;

	if (IsParallelWorker())
		return ssdpar_leader_depth(tablespace);
	profile = ssdpar_profile_get(tablespace);
	depth = profile == NULL ? 0 :
		(int) Min(ssdpar_profile_saturation_depth(profile),
				  MAX_IO_CONCURRENCY);
	ssdpar_leader_depth_tell(tablespace, depth);
	return depth;
}

/*
 * Replaces the InvalidOid of the default tablespace by the tablespace's OID.
 */
static Oid
resolve(Oid tablespace)
{
	return OidIsValid(tablespace) ? tablespace : MyDatabaseTableSpace;
}

/* With direct I/O only the server's asynchronous I/O can read ahead. */
static bool
may_read_ahead(void)
{
	return ssdpar_enabled && ssdpar_prefetch_bitmap_scans &&
		ssdpar_prefetch != SSDPAR_PREFETCH_OFF &&
		(!ssdpar_direct_io() || ssdpar_asynchronous_io());
}

bool
ssdpar_bitmap_reads_ahead(Oid tablespace)
{
	return may_read_ahead() && device_depth(resolve(tablespace)) > 0;
}

/* Never less than core's depth.  If that is 0, core cannot read ahead. */
int
ssdpar_bitmap_depth(Oid tablespace)
{
	int			cores = get_tablespace_io_concurrency(tablespace);
	int			devices;

	if (cores == 0 || !may_read_ahead() || !ssdpar_io_concurrency_is_default())
		return cores;
	tablespace = resolve(tablespace);
	devices = device_depth(tablespace);
	if (devices == 0 || has_own_depth(tablespace))
		return cores;
	if (ssdpar_io_concurrency > 0)
		return Min(ssdpar_io_concurrency, MAX_IO_CONCURRENCY);
	return Max(devices, cores);
}
