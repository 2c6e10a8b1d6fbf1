/*
 * record.h
 *		What the background has calibrated, is at and may still do: in shared
 *		memory.
 */
#ifndef SSDPAR_RECORD_H
#define SSDPAR_RECORD_H

#include "datatype/timestamp.h"

#include "recalibrate/cause.h"

typedef enum SsdparOutcome
{
	SSDPAR_OUTCOME_NONE,
	SSDPAR_OUTCOME_WAITING,		/* for a quiet moment */
	SSDPAR_OUTCOME_RUNNING,
	SSDPAR_OUTCOME_DONE,
	SSDPAR_OUTCOME_ENDED,		/* before its end, as it was in the way */
	SSDPAR_OUTCOME_INTERRUPTED, /* with its process */
	SSDPAR_OUTCOME_UNAFFORDABLE,	/* too little of the day's budget left */
	SSDPAR_OUTCOME_FAILED,
} SsdparOutcome;

typedef enum SsdparExtent
{
	SSDPAR_EXTENT_NONE,
	SSDPAR_EXTENT_QUICK,
	SSDPAR_EXTENT_WHOLE,
} SsdparExtent;

/* The last calibration of a tablespace in the background. */
typedef struct SsdparRecord
{
	Oid			tablespace;		/* InvalidOid: none */
	SsdparCause cause;
	SsdparOutcome outcome;
	SsdparExtent extent;
	pid_t		runner;			/* the process, while it is running */
	TimestampTz changed_at;		/* the outcome */
	double		seconds;		/* that it took */
	int64		bytes;			/* that it wrote */
	TimestampTz not_before;		/* after a failure, or an interruption */
	TimestampTz drift_at;		/* last calibrated because of drift */
	char		message[256];	/* why it failed or was ended; may be empty */
} SsdparRecord;

typedef struct SsdparBudget
{
	double		seconds;
	int64		bytes;
} SsdparBudget;

/* Every function below but the last two needs this. */
extern bool ssdpar_records_available(void);

/*
 * True for one caller in each interval: who is to look for tablespaces to
 * calibrate.  NOW is a time at hand.  Not while the last one still looks.
 */
extern bool ssdpar_records_take_look(TimestampTz now, int interval_ms);

/* The process that looks.  False if there is one already. */
extern bool ssdpar_records_begin_look(void);
extern void ssdpar_records_end_look(void);

/* What is left of the last 24 hours' budget. */
extern SsdparBudget ssdpar_records_left(void);

/* The most that the budget and the cause allow. */
extern SsdparExtent ssdpar_records_afford(SsdparCause cause);

/* A copy; false if there is none, or no more. */
extern bool ssdpar_records_get(Oid tablespace, SsdparRecord *record);
extern bool ssdpar_records_get_nth(int number, SsdparRecord *record);

/* May it be calibrated for this cause by now?  Not while somebody does. */
extern bool ssdpar_records_may_begin(Oid tablespace, SsdparCause cause);

/* One is due: waiting, or unaffordable; with none it is due no more. */
extern void ssdpar_records_note(Oid tablespace, SsdparCause cause,
								SsdparOutcome outcome);

/*
 * It is calibrated by this process from now on: what that takes is taken off
 * the budget, and corrected at the end.  Nobody else's note or end changes the
 * record meanwhile.
 */
extern void ssdpar_records_begin(Oid tablespace, SsdparCause cause,
								 SsdparExtent extent);
extern void ssdpar_records_end(Oid tablespace, SsdparOutcome outcome,
							   const char *message);

/*
 * The scratch file of the one that this process runs has so many bytes: fewer
 * than were charged, and the budget gets the rest back.
 */
extern void ssdpar_records_reserved(Oid tablespace, int64 file_size);

/* It failed before anything was written: the budget gets that back. */
extern void ssdpar_records_refuse(Oid tablespace, const char *message);

/* For the hooks of the same names. */
extern void ssdpar_records_request_shmem(void);
extern void ssdpar_records_attach_shmem(void);

#endif							/* SSDPAR_RECORD_H */
