/*
 * exec_functions.h
 *		What the server's executor puts in a node's ExecProcNode.
 */
#ifndef SSDPAR_EXEC_FUNCTIONS_H
#define SSDPAR_EXEC_FUNCTIONS_H

#include "nodes/execnodes.h"

/*
 * ExecProcNode holds the first one until the node is called, then its
 * ExecProcNodeReal, or the second if the node is instrumented.
 */
typedef struct SsdparExecFunctions
{
	ExecProcNodeMtd first;
	ExecProcNodeMtd instrumented;
} SsdparExecFunctions;

extern const SsdparExecFunctions *ssdpar_exec_functions(void);

#endif							/* SSDPAR_EXEC_FUNCTIONS_H */
