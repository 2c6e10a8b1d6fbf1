/*
 * ssdemu_pid_file.h
 *		The file with the process ID to signal.
 *
 * It is locked (flock) from before the mount until it is removed, after the
 * unmount: a successor with the same name waits for that, and no process can
 * remove another one's file.
 */
#ifndef SSDEMU_PID_FILE_H
#define SSDEMU_PID_FILE_H

#include "bench/ssdsim/ssdsim_error.h"

typedef struct SsdemuPidFile
{
	const char *path;			/* NULL: none */
	int			fd;				/* or -1 */
	bool		ours;			/* created or written by us: to be removed */
} SsdemuPidFile;

/*
 * Opens and locks the regular file at PATH, creating it if necessary.  If
 * another process holds it, waits for at most ten seconds.
 */
extern bool ssdemu_pid_file_open(SsdemuPidFile *file, SsdsimError *error);

/* Replaces its contents by this process's ID and a line feed. */
extern void ssdemu_pid_file_write(SsdemuPidFile *file);

/* Removes it if it is ours, then closes it. */
extern void ssdemu_pid_file_close(SsdemuPidFile *file);

#endif							/* SSDEMU_PID_FILE_H */
