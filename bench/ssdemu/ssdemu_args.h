/*
 * ssdemu_args.h
 *		The command line of ssdemu.
 */
#ifndef SSDEMU_ARGS_H
#define SSDEMU_ARGS_H

#include <sys/types.h>

#include "ssdemu_error.h"
#include "ssdemu_profile.h"

typedef enum SsdemuActionWanted
{
	SSDEMU_RUN,
	SSDEMU_HELP,
	SSDEMU_VERSION_ONLY,
	SSDEMU_LIST,
	SSDEMU_REPLAY,
} SsdemuActionWanted;

/* Strings point into argv. */
typedef struct SsdemuArgs
{
	SsdemuActionWanted action;
	SsdemuProfile profile;		/* with the mapping asked for */
	uint64_t	seed;
	uint32_t	request_bytes;
	int64_t		transport;		/* nanoseconds; negative: measure it */
	bool		background;
	bool		warm;
	pid_t		follow;			/* 0: nobody */
	const char *pid_file;		/* NULL: none */
	const char *trace;			/* to write or to replay; NULL: none */
	const char *backing;
	const char *mountpoint;
} SsdemuArgs;

extern bool ssdemu_args_parse(int argc, char **argv, SsdemuArgs *args,
							  SsdemuError *error);
extern void ssdemu_args_help(void);
extern void ssdemu_args_list(void);

#endif							/* SSDEMU_ARGS_H */
