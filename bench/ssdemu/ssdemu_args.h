/*
 * ssdemu_args.h
 *		The command line of ssdemu.
 */
#ifndef SSDEMU_ARGS_H
#define SSDEMU_ARGS_H

#include <sys/types.h>

#include "bench/ssdsim/ssdsim_error.h"
#include "ssdemu_device.h"

typedef enum SsdemuActionWanted
{
	SSDEMU_RUN,
	SSDEMU_HELP,
	SSDEMU_VERSION_ONLY,
	SSDEMU_LIST,
} SsdemuActionWanted;

/* Strings point into argv. */
typedef struct SsdemuArgs
{
	SsdemuActionWanted action;
	SsdemuDeviceSpec device;
	uint32_t	request_bytes;
	int64_t		transport;		/* in ns; negative: measure it */
	bool		background;
	bool		warm;
	bool		discard;
	pid_t		follow;			/* 0: none */
	const char *pid_file;		/* NULL: none */
	const char *trace;			/* to write; NULL: none */
	const char *backing;
	const char *mountpoint;
} SsdemuArgs;

/* FOLDER has the shipped devices.  False with a message if it is invalid. */
extern bool ssdemu_args_parse(int argc, char **argv, const char *folder,
							  SsdemuArgs *args, SsdsimError *error);
extern void ssdemu_args_help(void);

#endif							/* SSDEMU_ARGS_H */
