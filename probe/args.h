/*
 * args.h
 *		Command line of ssdpar-probe.
 */
#ifndef SSDPAR_PROBE_ARGS_H
#define SSDPAR_PROBE_ARGS_H

#include "probe.h"

typedef enum ProbeAction
{
	PROBE_ACTION_MEASURE,
	PROBE_ACTION_INSIDE,
	PROBE_ACTION_HELP,
	PROBE_ACTION_VERSION,
} ProbeAction;

/* Strings point into argv. */
typedef struct ProbeArgs
{
	ProbeAction action;
	const char *directory;
	bool		json;
	const char *store;			/* connection string or NULL */
	const char *tablespace;		/* name, or NULL to find it */
	const char *of_sweep;		/* an option that is only for sweeps, or NULL */
	bool		sized;			/* the size of the file was given */
	ProbeOptions options;
} ProbeArgs;

/*
 * Returns false with ERROR set to PROBE_BAD_OPTION.  After --help and
 * --version the rest of the command line is not examined.
 */
extern bool ssdpar_probe_parse_args(int argc, char **argv, ProbeArgs *args,
									ProbeError *error);
extern void ssdpar_probe_print_help(void);

#endif							/* SSDPAR_PROBE_ARGS_H */
