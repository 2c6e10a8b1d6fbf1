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

/* The part of shared memory that hooks.c gives it when the server starts. */
extern Size ssdpar_calibration_progress_shmem_size(void);
extern void ssdpar_calibration_progress_shmem_init(void *part);

#endif							/* SSDPAR_CALIBRATION_PROGRESS_H */
