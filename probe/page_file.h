/*
 * page_file.h
 *		The file of ssdpar-probe --report.
 */
#ifndef SSDPAR_PROBE_PAGE_FILE_H
#define SSDPAR_PROBE_PAGE_FILE_H

#include "probe.h"

typedef struct ProbePageFile
{
	const char *name;
	int			fd;
	char	   *made;			/* its path, if there was none before */
	bool		is_output;		/* the tables stand in it before the page */
} ProbePageFile;

/* Before the measurement: a minute's work must not end for want of it. */
extern bool ssdpar_probe_page_open(ProbePageFile *file, const char *name,
								   ProbeError *error);

/*
 * Replaces what the file holds by TEXT, and closes it; what has gone to the
 * standard output stays, if that is the same file.  Without a TEXT, for
 * there is no result, the file is left as it was found.
 */
extern bool ssdpar_probe_page_close(ProbePageFile *file, const char *text,
									ProbeError *error);

#endif							/* SSDPAR_PROBE_PAGE_FILE_H */
