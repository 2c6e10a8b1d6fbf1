/*
 * bitmap_depth.h
 *		How many requests core's bitmap heap scans keep outstanding.
 */
#ifndef SSDPAR_BITMAP_DEPTH_H
#define SSDPAR_BITMAP_DEPTH_H

/*
 * In tables of that tablespace (InvalidOid: the database's default), 0 to
 * MAX_IO_CONCURRENCY.  For planning and executing alike.
 */
extern int	ssdpar_bitmap_depth(Oid tablespace);

#endif							/* SSDPAR_BITMAP_DEPTH_H */
