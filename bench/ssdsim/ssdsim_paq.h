/*
 * ssdsim_paq.h
 *		Physically Addressed Queueing (paper 001, section 4), and its
 *		baselines: functions for SsdsimPolicy.dispatch.
 */
#ifndef SSDSIM_PAQ_H
#define SSDSIM_PAQ_H

#include "ssdsim_flash.h"

/* Virtually Addressed Queueing: reads in order of arrival. */
extern void ssdsim_paq_vaq(SsdsimFlash *flash, uint32_t die);

/* Only plane packing: VAQ's order, with what can be combined. */
extern void ssdsim_paq_pack(SsdsimFlash *flash, uint32_t die);

/* Only clumps. */
extern void ssdsim_paq_clump(SsdsimFlash *flash, uint32_t die);

/* Both. */
extern void ssdsim_paq_both(SsdsimFlash *flash, uint32_t die);

#endif							/* SSDSIM_PAQ_H */
