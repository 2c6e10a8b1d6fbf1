/*
 * transient_file.h
 *		Opens files that are not essential.
 */
#ifndef SSDPAR_TRANSIENT_FILE_H
#define SSDPAR_TRANSIENT_FILE_H

/*
 * Like OpenTransientFile() for reading, but also returns -1 if the process has
 * no descriptor left, for which that function raises an error.  Closed by
 * CloseTransientFile(), or by an error.
 */
extern int	ssdpar_open_if_possible(const char *path);

#endif							/* SSDPAR_TRANSIENT_FILE_H */
