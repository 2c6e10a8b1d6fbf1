/*
 * disk_work.h
 *		How long the disk below a tablespace has worked.
 */
#ifndef SSDPAR_DISK_WORK_H
#define SSDPAR_DISK_WORK_H

/*
 * Milliseconds that it had requests, whoever's, since the kernel was started;
 * -1 where there is no disk to be seen (overlay, FUSE, network).
 */
extern int64 ssdpar_disk_worked_ms(Oid tablespace);

#endif							/* SSDPAR_DISK_WORK_H */
