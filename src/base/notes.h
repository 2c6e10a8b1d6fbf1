/*
 * notes.h
 *		Notes made while a statement is planned, for its EXPLAIN, and to report
 *		a problem to the user only once.
 *
 * Any folder may add notes; statement/ reads them and controls their lifetime.
 */
#ifndef SSDPAR_NOTES_H
#define SSDPAR_NOTES_H

typedef struct SsdparNotes
{
	bool		shortage_told;
	const char *left;			/* why ssdpar does nothing; constant */
	const char *star_refused;	/* why there is no star scan; constant */
	const char *split_refused;	/* why the query is not split; constant */
	const char *index_join_refused; /* why loops stay core's; constant */
	bool		star_offered;
	bool		index_join_offered;
	double		seconds_per_unit;	/* of planner cost; 0: no scan priced */
	Oid			priced_tablespace;	/* whose profile priced them */
	const void *measured_level; /* query level (PlannerInfo) measured last */
	double		level_pages;	/* pages of its largest table */
	bool		busy_known;		/* other sessions were counted: */
	double		busy_sessions;	/* their number */
	double		busy_processes; /* and the number of their processes */
	double		predicted_seconds;	/* of the finished statement; 0: unknown */
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
 * Notes the number of other active sessions and of their processes.  They are
 * counted once, so that all prices of a statement assume the same concurrent
 * load.
 */
extern void ssdpar_note_busy(double sessions, double processes);

/* Returns true only for the first call in a statement's planning. */
extern bool ssdpar_note_first_shortage(void);

/*
 * Notes of the statement being planned, or else of the one planned last in
 * this session.
 */
extern const SsdparNotes *ssdpar_notes(void);

/*
 * To be called before a statement is replanned: drops the notes of the plan
 * that is given up, except for what the user has been told.
 */
extern void ssdpar_notes_again(void);

/*
 * To be called when planning of a statement begins and ends, even by an error.
 * begin() returns the outer notes, which end() restores.  If FINISHED is not
 * NULL, end() keeps those of its notes that EXPLAIN shows.
 */
extern SsdparNotes ssdpar_notes_begin(void);
extern void ssdpar_notes_end(const SsdparNotes *outer,
							 const SsdparNotes *finished);

#endif							/* SSDPAR_NOTES_H */
