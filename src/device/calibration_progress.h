/*
 * calibration_progress.h
 *		How far the calibrations that run have come, for other sessions to see.
 */
#ifndef SSDPAR_CALIBRATION_PROGRESS_H
#define SSDPAR_CALIBRATION_PROGRESS_H

/*
 * Between these two the process' calibration is shown; at its end whatever way
 * that comes.  Without shared memory none is.
 */
extern void ssdpar_calibration_progress_begin(Oid tablespace);
extern void ssdpar_calibration_progress_end(void);

/* PHASE is a constant; SHARE, 0 to 1, is of this phase. */
extern void ssdpar_calibration_progress_put(const char *phase, double share);

/* For the hooks of the same names. */
extern void ssdpar_calibration_progress_request_shmem(void);
extern void ssdpar_calibration_progress_attach_shmem(void);

#endif							/* SSDPAR_CALIBRATION_PROGRESS_H */
