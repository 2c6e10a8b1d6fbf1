/*
 * bitmap_depth.h
 *		How many requests core's bitmap heap scans keep outstanding.
 */
#ifndef SSDPAR_BITMAP_DEPTH_H
#define SSDPAR_BITMAP_DEPTH_H

/*
 * Do we have a hand in bitmap scans of that tablespace?  By the settings, and
 * where the device is known.
 */
extern bool ssdpar_bitmap_reads_ahead(Oid tablespace);

/*
 * In tables of that tablespace (InvalidOid: the database's default), 0 to
 * MAX_IO_CONCURRENCY.  For planning and executing alike.
 */
extern int	ssdpar_bitmap_depth(Oid tablespace);

#endif							/* SSDPAR_BITMAP_DEPTH_H */
