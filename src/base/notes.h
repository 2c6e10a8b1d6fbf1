/*
 * notes.h
 *		Notes made while a statement is planned, for its EXPLAIN, and to report
 *		a problem to the user only once.
 *
 * Any folder may add notes; statement/ reads them and controls their lifetime.
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
	const char *left;			/* why ssdpar does nothing; constant */
	const char *star_refused;	/* why there is no star scan; constant */
	const char *split_refused;	/* why the query is not split; constant */
	const char *index_join_refused; /* why loops stay core's; constant */
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
 * Notes why a star query gets no star scan, or is not split: a constant
 * string.  The first note of a statement is kept, and NULL is ignored.
 */
extern void ssdpar_note_star_refused(const char *reason);
extern void ssdpar_note_split_refused(const char *reason);

/*
 * The same for joins that core can implement by an index, and that are not
 * index joins.
 */
extern void ssdpar_note_index_join_refused(const char *reason);

/*
 * The search since BEFORE found an empty relation, so drops its refusals,
 * because they make no difference.
 */
extern void ssdpar_note_empty(const SsdparNotes *before);

/* Notes that a star scan was offered to core. */
extern void ssdpar_note_star_offered(void);

/* Notes that an index join was offered to core. */
extern void ssdpar_note_index_join_offered(void);

/* Notes that scans were priced with a tablespace's profile, in this unit. */
extern void ssdpar_note_priced(Oid tablespace, double seconds_per_unit);

/*
 * Notes the pages of the largest table of a query level, and returns them; -1
 * if there is no note.
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

/* Returns true only for the first call in a statement's planning. */
extern bool ssdpar_note_first_shortage(void);

/*
 * Notes of the statement being planned, or else of the one planned last in
 * this session.
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
