/*
 * btree_meta.c
 *		Can a btree be read page by page, and where does it begin?
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
 * Indexes older than version 4 (made before PostgreSQL 12) order equal keys
 * differently.
 */
bool
ssdpar_index_is_current(Relation index)
{
	bool		version_4;
	bool		equal_alike;

	/* mostly kept with the relation, where the planner has looked it up */
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
 * As core's index scans, which all begin by asking that.  The planner asks it,
 * too, but a plan may be older than the rebuilding: that of a function which an
 * expression of the index calls.
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
 * The version, by which the rest is to be believed, is 0 if this is no btree's
 * meta page.
 *
 * The fast root leaves out levels of one page, as after mass deletion.  A root
 * that was split since still leads to all: its page's right link does.
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
