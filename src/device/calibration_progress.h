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

/* To be called by the hooks of the same names. */
extern void ssdpar_calibration_progress_request_shmem(void);
extern void ssdpar_calibration_progress_attach_shmem(void);

#endif							/* SSDPAR_CALIBRATION_PROGRESS_H */
