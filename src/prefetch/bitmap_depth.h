/*
 * bitmap_depth.h
 *		Number of requests that core's bitmap heap scans keep outstanding.
 */
#ifndef SSDPAR_BITMAP_DEPTH_H
#define SSDPAR_BITMAP_DEPTH_H

/*
 * Do we control bitmap scans of that tablespace?  True if the settings allow
 * it and the device is calibrated.
 */
extern bool ssdpar_bitmap_reads_ahead(Oid tablespace);

/*
 * The depth for tables of that tablespace (InvalidOid: the database's
 * default), 0 to MAX_IO_CONCURRENCY.  Used both for planning and for
 * execution.
 */
extern int	ssdpar_bitmap_depth(Oid tablespace);

#endif							/* SSDPAR_BITMAP_DEPTH_H */
