/*
 * options.h
 *		Settings of the daemon: command line and configuration file.
 */
#ifndef SSDPARD_OPTIONS_H
#define SSDPARD_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "problem.h"

#define SSDPARD_MAX_UIDS 16
#define SSDPARD_PATH 1024

typedef enum SsdpardMethodWanted
{
	SSDPARD_USE_BEST,			/* the ring, or threads if it is refused */
	SSDPARD_USE_RING,
	SSDPARD_USE_THREADS,
} SsdpardMethodWanted;

typedef struct SsdpardOptions
{
	char		socket[SSDPARD_PATH];
	uid_t		uids[SSDPARD_MAX_UIDS];
	int			nuids;			/* 0: only the daemon's user */
	int			max_sessions;
	int			max_queue;		/* ranges */
	int			max_files;		/* 0: as many as the system allows */
	int			device_depth;	/* 0: from the profile */
	int			random_deadline_ms;
	int			sequential_deadline_ms;
	int			max_request_kb; /* per device read */
	int			threads;
	int			method;			/* an SsdpardMethodWanted */
	char		trace[SSDPARD_PATH];	/* empty: no trace */
	int			log_level;		/* an SsdpardLevel */
} SsdpardOptions;

typedef enum SsdpardAction
{
	SSDPARD_RUN,
	SSDPARD_CHECK_CONFIG,
	SSDPARD_HELP,
	SSDPARD_VERSION,
} SsdpardAction;

/* Settings that only the command line has. */
typedef struct SsdpardCommand
{
	SsdpardAction action;
	const char *config;			/* NULL: none */
	int			ready_fd;		/* -1: none */
	int			parent_fd;		/* a pipe; closing it stops us; -1: none */
	int			argc;			/* kept for reloading, because options stay in
								 * force */
	char	  **argv;
} SsdpardCommand;

extern void ssdpard_options_help(void);

/*
 * Reads the command line, then the file it names, then the command line once
 * more, so that options override the file.  Returns false with one message in
 * PROBLEM if something is not understood or out of range.
 */
extern bool ssdpard_options_parse(int argc, char **argv,
								  SsdpardCommand *command,
								  SsdpardOptions *options,
								  char problem[SSDPARD_PROBLEM]);

/*
 * Repeats this for SIGHUP.  Settings that cannot change at run time keep the
 * value they have in OPTIONS; CHANGED_IN_VAIN is set to the name of one such
 * changed setting, or NULL.  On failure OPTIONS are unchanged.
 */
extern bool ssdpard_options_reload(const SsdpardCommand *command,
								   SsdpardOptions *options,
								   const char **changed_in_vain,
								   char problem[SSDPARD_PROBLEM]);

#endif							/* SSDPARD_OPTIONS_H */
