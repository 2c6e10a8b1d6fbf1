/*
 * notes.h
 *		What is noted while a statement is planned, for its EXPLAIN and so that
 *		the user is told a thing once.
 *
 * Anything may note; statement/ reads the notes and owns their lifetime.
 */
#ifndef SSDPAR_NOTES_H
#define SSDPAR_NOTES_H

#include "portability/instr_time.h"

/* What planning a statement may have to do; each is shown by EXPLAIN. */
typedef enum SsdparWorkKind
{
	SSDPAR_WORK_PROFILES,		/* device profiles read from their file */
	SSDPAR_WORK_RESIDENCY,		/* relations sampled for what is in memory */
	SSDPAR_WORK_INDEXES,		/* indexes looked at */
	SSDPAR_WORK_DIMENSIONS,		/* dimensions looked at */
	SSDPAR_WORK_STAR_SCANS,		/* facts whose star scans were considered */
	SSDPAR_WORK_INDEX_JOINS,	/* pairs whose index joins were considered */
} SsdparWorkKind;

#define SSDPAR_WORK_KINDS (SSDPAR_WORK_INDEX_JOINS + 1)

typedef struct SsdparWork
{
	double		times;
	double		pages;			/* asked of shared buffers */
	double		seconds;		/* without other work that was part of it */
} SsdparWork;

/* Work that is being done, in the stack frame of who does it. */
typedef struct SsdparWorkSpan
{
	instr_time	begun;
	SsdparWork	before;			/* sum of all */
	double		pages;			/* of the session */
} SsdparWorkSpan;

typedef struct SsdparNotes
{
	bool		shortage_told;
	const char *left;			/* why all of it is core's; constant */
	const char *star_refused;	/* why there is no star scan; constant */
	const char *split_refused;	/* why the query is not split; constant */
	const char *index_join_refused; /* why loops are core's; constant */
	bool		star_offered;
	bool		index_join_offered;
	double		seconds_per_unit;	/* of planner cost; 0: scans not priced */
	Oid			priced_tablespace;	/* whose profile has priced them */
	const void *measured_level; /* the query level (PlannerInfo) whose tables */
	double		level_pages;	/* were measured last: pages of the largest */
	double		predicted_seconds;	/* of the finished statement; 0: unknown */
	SsdparWork	work[SSDPAR_WORK_KINDS];
} SsdparNotes;

/*
 * Note why a star query gets no star scan, or is not split: a constant string.
 * The first note of a statement is kept; NULL is ignored.
 */
extern void ssdpar_note_star_refused(const char *reason);
extern void ssdpar_note_split_refused(const char *reason);

/*
 * The same of joins that core can make by an index and that are no index joins.
 */
extern void ssdpar_note_index_join_refused(const char *reason);

/*
 * What was searched since BEFORE was found to be empty: nothing that it was
 * refused would have helped it.
 */
extern void ssdpar_note_empty(const SsdparNotes *before);

/* Note that core was offered a star scan. */
extern void ssdpar_note_star_offered(void);

/* Note that core was offered an index join. */
extern void ssdpar_note_index_join_offered(void);

/* Note that scans were priced by a tablespace's profile, in which unit. */
extern void ssdpar_note_priced(Oid tablespace, double seconds_per_unit);

/*
 * Note the pages of the largest table of a query level, and what was noted of
 * it; -1: nothing.
 */
extern void ssdpar_note_level_pages(const void *level, double pages);
extern double ssdpar_noted_level_pages(const void *level);

/*
 * Note that something is done, from begin() to end().  Where end() is not
 * reached because of an error, nothing is noted.
 */
extern void ssdpar_note_work_begin(SsdparWorkSpan *span);
extern void ssdpar_note_work_end(const SsdparWorkSpan *span,
								 SsdparWorkKind kind);

/* True the first time it is asked during the planning of one statement. */
extern bool ssdpar_note_first_shortage(void);

/*
 * The notes of the statement that is being planned, or else of the one planned
 * last in this session.
 */
extern const SsdparNotes *ssdpar_notes(void);

/*
 * Planning a statement begins: returns what was noted so far, to be given back
 * at its end, also after an error.  end() keeps what the finished statement's
 * EXPLAIN shows, if NOTES is not NULL, and drops the rest.
 */
extern SsdparNotes ssdpar_notes_begin(void);
extern void ssdpar_notes_end(const SsdparNotes *outer,
							 const SsdparNotes *finished);

#endif							/* SSDPAR_NOTES_H */
