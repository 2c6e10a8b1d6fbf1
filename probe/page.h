/*
 * page.h
 *		A device in pictures: one HTML page that needs nothing else.
 */
#ifndef SSDPAR_PROBE_PAGE_H
#define SSDPAR_PROBE_PAGE_H

#include <time.h>

#include "probe.h"

/*
 * PLACE says what was measured: a directory, or a tablespace.  The caller frees
 * the text; NULL without memory.
 */
extern char *ssdpar_probe_page(const char *place, const ProbeResult *result,
							   time_t measured_at);

#endif							/* SSDPAR_PROBE_PAGE_H */
