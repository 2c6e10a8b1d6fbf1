/*
 * room.h
 *		How much a calibration in the background leaves free.
 */
#ifndef SSDPAR_ROOM_H
#define SSDPAR_ROOM_H

/*
 * Bytes that have to stay free where TABLESPACE lies, beside the scratch file.
 * 0 if its file system cannot be asked, which the engine will explain.
 */
extern int64 ssdpar_room_for_others(Oid tablespace);

#endif							/* SSDPAR_ROOM_H */
