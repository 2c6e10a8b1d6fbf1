/*
 * transient_file.h
 *		Opening a file that can be done without.
 */
#ifndef SSDPAR_TRANSIENT_FILE_H
#define SSDPAR_TRANSIENT_FILE_H

/*
 * OpenTransientFile() to read, and -1 also where the process has no descriptor
 * left for such files, for which that raises an error.  Closed by
 * CloseTransientFile(), or by an error.
 */
extern int	ssdpar_open_if_possible(const char *path);

#endif							/* SSDPAR_TRANSIENT_FILE_H */
