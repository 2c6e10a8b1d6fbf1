/*
 * client.h
 *		The backend's side of the protocol with ssdpard.
 *
 * Nothing here waits or raises an error.  Ranges that cannot be sent are
 * counted as fallbacks, and the caller proceeds without them.  scan_window.c
 * and page_list.c decide what to read ahead.
 */
#ifndef SSDPAR_CLIENT_H
#define SSDPAR_CLIENT_H

#include "common/relpath.h"
#include "storage/block.h"
#include "utils/relcache.h"

/* Only the files that include this header see the wire format. */
#include "common/protocol.h"

/* A relation's fork as a set of files; created while its lock is held. */
typedef struct SsdparRelationFile
{
	Oid			tablespace;
	Oid			database;
	Oid			number;
	ForkNumber	fork;
	uint16		device_depth;	/* of its device, 0 if unknown */
} SsdparRelationFile;

extern void ssdpar_relation_file(SsdparRelationFile *file, Relation rel,
								 ForkNumber fork);

/* Returns a number for CANCEL that is unique in this process. */
extern uint32 ssdpar_client_new_stream(void);

/*
 * To announce ranges, call begin, add for each range, and end.  They are sent
 * in as few messages as possible.  begin connects if necessary and returns
 * false if no daemon is available; add then counts fallbacks.  The caller
 * holds a lock on the relation.
 *
 * add takes count blocks starting with block, all in one segment and at most
 * SSDPAR_WIRE_MAX_LENGTH bytes.  It returns true if the range is being sent.
 */
extern bool ssdpar_client_begin(SsdparWireClass class, uint32 stream);
extern bool ssdpar_client_add(const SsdparRelationFile *file,
							  BlockNumber block, uint32 count);
extern void ssdpar_client_end(void);

/* Drops the ranges of a stream that are still queued. */
extern void ssdpar_client_cancel(uint32 stream);

/*
 * Limits the pages that the daemon may have outstanding for this session;
 * PG_UINT32_MAX means no limit.  Cheap enough to be called for each page.
 */
extern void ssdpar_client_allow(uint32 pages);

/* The daemon's counters for this session since it connected. */
extern void ssdpar_client_progress(SsdparWireCounters *progress);

/* Adds the daemon's counters to ours and flushes those. */
extern void ssdpar_client_settle(void);

#endif							/* SSDPAR_CLIENT_H */
