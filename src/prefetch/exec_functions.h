/*
 * exec_functions.h
 *		The functions that the server's executor stores in a node's
 *		ExecProcNode.
 */
#ifndef SSDPAR_EXEC_FUNCTIONS_H
#define SSDPAR_EXEC_FUNCTIONS_H

#include "nodes/execnodes.h"

/*
 * ExecProcNode holds the first one until the node is called, and afterwards
 * its ExecProcNodeReal, or the second one if the node is instrumented.
 */
typedef struct SsdparExecFunctions
{
	ExecProcNodeMtd first;
	ExecProcNodeMtd instrumented;
} SsdparExecFunctions;

extern const SsdparExecFunctions *ssdpar_exec_functions(void);

#endif							/* SSDPAR_EXEC_FUNCTIONS_H */
