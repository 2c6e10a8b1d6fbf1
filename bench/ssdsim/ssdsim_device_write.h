/*
 * ssdsim_device_write.h
 *		A write's way through a device, a trim's and a flush's.
 */
#ifndef SSDSIM_DEVICE_WRITE_H
#define SSDSIM_DEVICE_WRITE_H

#include "ssdsim_device_inside.h"

/* The set-up of a write or a trim is over. */
extern void ssdsim_device_store(SsdsimDevice *device, SsdsimRequest *request);

/* Complete once all that is in the buffer now is programmed. */
extern void ssdsim_device_flush(SsdsimDevice *device, SsdsimRequest *request);

/* A page is programmed, so that there is room for one more. */
extern void ssdsim_device_programmed(SsdsimDevice *device,
									 const SsdsimOp *op);

#endif							/* SSDSIM_DEVICE_WRITE_H */
