/*
 * client.h
 *		This backend's side of the conversation with ssdpard.
 *
 * Nothing here waits or raises an error.  What cannot be sent is counted as a
 * fallback and is the caller's to do without.  Who decides what to read ahead
 * is scan_tracker.c and page_list.c.
 */
#ifndef SSDPAR_CLIENT_H
#define SSDPAR_CLIENT_H

#include "common/relpath.h"
#include "storage/block.h"
#include "utils/relcache.h"

/* The only backend files that see the wire format. */
#include "common/protocol.h"

/* A relation's fork as a set of files; made while its lock is held. */
typedef struct SsdparRelationFile
{
	Oid			tablespace;
	Oid			database;
	Oid			number;
	ForkNumber	fork;
	uint16		device_depth;	/* of its device, 0 if not known */
} SsdparRelationFile;

extern void ssdpar_relation_file(SsdparRelationFile *file, Relation rel,
								 ForkNumber fork);

/* A number for CANCEL that is used once in this process. */
extern uint32 ssdpar_client_new_stream(void);

/*
 * Announce ranges: begin, add each, end.  They are sent in as few messages as
 * possible.  begin connects if need be and returns false if there is no daemon
 * to be had now; then add counts fallbacks.  The caller holds a lock on the
 * relation.
 *
 * add takes count blocks from block on, all in one segment and at most
 * SSDPAR_WIRE_MAX_LENGTH bytes; true if the range is on its way.
 */
extern bool ssdpar_client_begin(SsdparWireClass class, uint32 stream);
extern bool ssdpar_client_add(const SsdparRelationFile *file,
							  BlockNumber block, uint32 count);
extern void ssdpar_client_end(void);

/* Drop what is still queued of a stream. */
extern void ssdpar_client_cancel(uint32 stream);

/*
 * The daemon is to have no more pages outstanding for this session than that;
 * PG_UINT32_MAX: any number.  Cheap enough to be said for each page.
 */
extern void ssdpar_client_allow(uint32 pages);

/* What the daemon has done for this session since it was connected to. */
extern void ssdpar_client_progress(SsdparWireCounters *progress);

/* Take the daemon's counters over into ours, and flush those. */
extern void ssdpar_client_settle(void);

#endif							/* SSDPAR_CLIENT_H */
