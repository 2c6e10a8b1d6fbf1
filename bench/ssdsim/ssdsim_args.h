/*
 * ssdsim_args.h
 *		The command line of ssdsim.
 */
#ifndef SSDSIM_ARGS_H
#define SSDSIM_ARGS_H

#include "ssdsim_host_policy.h"
#include "ssdsim_load.h"
#include "ssdsim_policy.h"

typedef enum SsdsimAction
{
	SSDSIM_RUN,
	SSDSIM_LIST,
	SSDSIM_HELP,
	SSDSIM_VERSION_ONLY,
} SsdsimAction;

typedef struct SsdsimArgs
{
	SsdsimAction action;
	SsdsimSpec	spec;
	const char *device;
	const SsdsimPolicy *policy;
	const SsdsimHostPolicy *host;	/* NULL: none */
	int64_t		host_depth;		/* 0: the device's queue */
	SsdsimLoad	load;
	const char *trace;			/* NULL: closed loops */
	int64_t		trace_depth;	/* 0: by its times */
	bool		trace_fold;		/* addresses wrap around at the device's end */
	bool		trace_processes;	/* by mark, one request per process */
	double		age;			/* negative: nothing is written before */
} SsdsimArgs;

/* FOLDER has the shipped devices.  False with a message if it is invalid. */
extern bool ssdsim_args_parse(int argc, char **argv, const char *folder,
							  SsdsimArgs *args, SsdsimError *error);
extern void ssdsim_args_help(void);

#endif							/* SSDSIM_ARGS_H */
