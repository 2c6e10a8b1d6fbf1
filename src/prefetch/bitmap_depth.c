/*
 * bitmap_depth.c
 *		How many requests core's bitmap heap scans keep outstanding.
 *
 * Core goes by effective_io_concurrency, which is 1 up to PostgreSQL 17 and 16
 * since, on any device.  Where nobody has set it, neither for anything that
 * this session inherits from nor for the tablespace, a calibrated device is
 * read at its own depth: bitmap_heap.c gives it to the scans, and the cost
 * model prices them by it.
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

/* Has the tablespace an effective_io_concurrency of its own? */
static bool
has_own_depth(Oid tablespace)
{
	HeapTuple	tuple = SearchSysCache1(TABLESPACEOID,
										ObjectIdGetDatum(tablespace));
	bool		own = false;
	bool		isnull;
	Datum		options;

	/* dropped meanwhile: as the server, which takes the setting */
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
 * A worker reads no profile for that, and does as its leader.  0 if the
 * tablespace is not calibrated.
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

/* The tablespace's own OID, for that of a relation in the default one. */
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

/* Never less than core's own.  Where that is 0 it cannot read ahead. */
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
