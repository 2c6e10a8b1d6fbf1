/*
 * ssdsim_turning.c
 *		The outstanding reads in order, and the writes that wait for some of
 *		them; reads that arrive after a write do not delay it.
 */
#include "ssdsim_turning.h"

void
ssdsim_turning_begin(SsdsimTurning *turning, SsdsimRequest *request)
{
	if (request->reading)
		return;
	turning->writing = false;
	request->reading = true;
	request->number = ++turning->reads;
	request->newer = NULL;
	request->older = turning->newest;
	if (turning->newest != NULL)
		turning->newest->newer = request;
	else
		turning->oldest = request;
	turning->newest = request;
}

void
ssdsim_turning_end(SsdsimTurning *turning, SsdsimRequest *request)
{
	if (!request->reading)
		return;
	if (request->older != NULL)
		request->older->newer = request->newer;
	else
		turning->oldest = request->newer;
	if (request->newer != NULL)
		request->newer->older = request->older;
	else
		turning->newest = request->older;
}

SsdsimTurn
ssdsim_turning_write(SsdsimTurning *turning, SsdsimRequest *request)
{
	bool		turns = !turning->writing && turning->reads > 0;

	turning->writing = true;
	if (!turns)
		return SSDSIM_TURN_NONE;
	if (turning->oldest == NULL)
		return SSDSIM_TURN_NOW;
	request->number = turning->reads;
	ssdsim_request_append(&turning->waiting, request);
	return SSDSIM_TURN_LATER;
}

SsdsimRequest *
ssdsim_turning_next(SsdsimTurning *turning)
{
	SsdsimRequest *first = turning->waiting.first;

	if (first == NULL || (turning->oldest != NULL &&
						  turning->oldest->number <= first->number))
		return NULL;
	return ssdsim_request_take(&turning->waiting);
}
