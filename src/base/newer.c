/*
 * newer.c
 *		Detects catalog rows that the active snapshot does not see.
 */
#include "postgres.h"

#include "access/htup_details.h"
#include "access/transam.h"
#include "utils/snapmgr.h"
#include "utils/syscache.h"

#include "base/newer.h"

bool
ssdpar_is_newer_than_snapshot(int cache, Oid key)
{
	HeapTuple	row;
	TransactionId writer;
	bool		newer;

	if (!ActiveSnapshotSet())
		return false;
	row = SearchSysCache1(cache, ObjectIdGetDatum(key));
	if (!HeapTupleIsValid(row))
		return true;
	writer = HeapTupleHeaderGetXmin(row->t_data);
	newer = TransactionIdIsNormal(writer) &&
		XidInMVCCSnapshot(writer, GetActiveSnapshot());
	ReleaseSysCache(row);
	return newer;
}
