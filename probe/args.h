/*
 * args.h
 *		The command line of ssdpar-probe.
 */
#ifndef SSDPAR_PROBE_ARGS_H
#define SSDPAR_PROBE_ARGS_H

#include "probe.h"

typedef enum ProbeAction
{
	PROBE_ACTION_MEASURE,
	PROBE_ACTION_HELP,
	PROBE_ACTION_VERSION,
} ProbeAction;

/* Strings point into argv. */
typedef struct ProbeArgs
{
	ProbeAction action;
	const char *directory;
	bool json;
	const char *store;		/* connection string or NULL */
	const char *tablespace; /* name or NULL: find it */
	ProbeOptions options;
} ProbeArgs;

extern bool ssdpar_probe_parse_args(int argc, char **argv, ProbeArgs *args,
									ProbeError *error);
extern void ssdpar_probe_print_help(void);

/* "64", "64MB", "1GB", "65536kB" to bytes; no unit means MB. */
extern bool ssdpar_probe_parse_file_size(const char *text, int64_t *bytes,
										 ProbeError *error);

/* "8,32,256" to numbers of at least 1; COUNT is set. */
extern bool ssdpar_probe_parse_list(const char *text, const char *what,
									int most, int *values, int *count,
									ProbeError *error);

#endif							/* SSDPAR_PROBE_ARGS_H */
