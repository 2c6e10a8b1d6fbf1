/*
 * calibration_progress.h
 *		Reports the progress of running calibrations to other sessions.
 */
#ifndef SSDPAR_CALIBRATION_PROGRESS_H
#define SSDPAR_CALIBRATION_PROGRESS_H

/*
 * Shows the process's calibration until end is called, which must happen even
 * after an error.  Does nothing without shared memory.
 */
extern void ssdpar_calibration_progress_begin(Oid tablespace);
extern void ssdpar_calibration_progress_end(void);

/* PHASE is a constant string; SHARE is 0 to 1 within this phase. */
extern void ssdpar_calibration_progress_put(const char *phase, double share);

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_calibration_progress_shmem_size(void);
extern void ssdpar_calibration_progress_shmem_init(void *part);

#endif							/* SSDPAR_CALIBRATION_PROGRESS_H */
