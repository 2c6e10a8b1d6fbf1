/*
 * ssdsim_device_write.h
 *		The ways of writes, trims and flushes through a device.
 */
#ifndef SSDSIM_DEVICE_WRITE_H
#define SSDSIM_DEVICE_WRITE_H

#include "ssdsim_device_inside.h"

/* The setup of a write or a trim has ended. */
extern void ssdsim_device_store(SsdsimDevice *device, SsdsimRequest *request);

/* Completes when everything in the buffer now has been programmed. */
extern void ssdsim_device_flush(SsdsimDevice *device, SsdsimRequest *request);

/* A page has been programmed, so there is room for one more. */
extern void ssdsim_device_programmed(SsdsimDevice *device,
									 const SsdsimOp *op);

#endif							/* SSDSIM_DEVICE_WRITE_H */
