/*
 * btree_meta.c
 *		Determines whether a btree can be read page by page, and finds its
 *		root.
 */
#include "postgres.h"

#include "access/nbtree.h"
#include "catalog/index.h"
#include "catalog/pg_am_d.h"
#include "storage/bufmgr.h"
#include "utils/rel.h"

#include "base/compat.h"
#include "btree/btree_keys.h"
#include "btree/btree_meta.h"

/*
 * Indexes older than version 4 (built before PostgreSQL 12) order equal keys
 * differently.
 */
bool
ssdpar_index_is_current(Relation index)
{
	bool		version_4;
	bool		equal_alike;

	/* usually cached in the relation, because the planner has read it */
	_bt_metaversion(index, &version_4, &equal_alike);
	return version_4;
}

bool
ssdpar_index_readable(Relation index)
{
	return index->rd_rel->relkind == RELKIND_INDEX &&
		index->rd_rel->relam == BTREE_AM_OID &&
		index->rd_index->indkey.values[0] > 0 &&
		ssdpar_index_order_is_known(index->rd_opfamily[0],
									index->rd_opcintype[0]) &&
		ssdpar_index_is_current(index);
}

/*
 * Core's index scans check the same when they begin.  The planner checks it
 * too, but a cached plan can be older than the rebuild, for example in a
 * function that an expression of the index calls.
 */
static void
refuse_if_rebuilt(Relation index)
{
	if (ReindexIsProcessingIndex(RelationGetRelid(index)))
		ereport(ERROR,
				(errcode(ERRCODE_FEATURE_NOT_SUPPORTED),
				 errmsg("cannot access index \"%s\" while it is being reindexed",
						RelationGetRelationName(index))));
}

/*
 * version stays 0 if this is not a btree's meta page; other fields are
 * meaningless then.
 *
 * The fast root skips levels of one page, which exist for example after a mass
 * deletion.  If the root has been split since, its right link still leads to
 * all pages.
 */
void
ssdpar_index_root(Relation index, BlockNumber *root, uint32 *level)
{
	Buffer		buffer;
	BTMetaPageData *meta;
	uint32		version = 0;

	refuse_if_rebuilt(index);
	buffer = ReadBuffer(index, BTREE_METAPAGE);
	LockBuffer(buffer, BUFFER_LOCK_SHARE);
	_bt_checkpage(index, buffer);
	meta = BTPageGetMeta(BufferGetPage(buffer));
	if (meta->btm_magic == BTREE_MAGIC)
		version = meta->btm_version;
	*root = meta->btm_root == P_NONE ? P_NONE : meta->btm_fastroot;
	*level = meta->btm_fastlevel;
	UnlockReleaseBuffer(buffer);
	if (version != BTREE_VERSION)
		elog(ERROR, "index \"%s\" is not a btree of version %d",
			 RelationGetRelationName(index), BTREE_VERSION);
}
