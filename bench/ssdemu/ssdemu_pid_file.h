/*
 * ssdemu_pid_file.h
 *		The file that tells whom to signal.
 *
 * It is locked (flock) from before the mount until it is removed, after the
 * unmount: a successor of the same name waits for that, and none can remove
 * what another has written.
 */
#ifndef SSDEMU_PID_FILE_H
#define SSDEMU_PID_FILE_H

#include "bench/ssdsim/ssdsim_error.h"

typedef struct SsdemuPidFile
{
	const char *path;			/* NULL: none is asked for */
	int			fd;				/* or -1 */
	bool		ours;			/* made or written here: to be removed */
} SsdemuPidFile;

/*
 * Opens and locks the regular file at PATH, made where it is not there.  One
 * that another process holds is waited for, for ten seconds at most.
 */
extern bool ssdemu_pid_file_open(SsdemuPidFile *file, SsdsimError *error);

/* Replaces what stands in it by this process's id and a line feed. */
extern void ssdemu_pid_file_write(SsdemuPidFile *file);

/* Removes it if it is ours, then lets go of it. */
extern void ssdemu_pid_file_close(SsdemuPidFile *file);

#endif							/* SSDEMU_PID_FILE_H */
