/*
 * disk_work.h
 *		Reads how long the disk of a tablespace has worked.
 */
#ifndef SSDPAR_DISK_WORK_H
#define SSDPAR_DISK_WORK_H

/*
 * Milliseconds for which it has had requests, of any process, since the kernel
 * started; -1 if no disk is visible (overlay, FUSE, network).
 */
extern int64 ssdpar_disk_worked_ms(Oid tablespace);

#endif							/* SSDPAR_DISK_WORK_H */
