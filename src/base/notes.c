/*
 * notes.c
 *		Notes made while a statement is planned, for its EXPLAIN, and to report
 *		a problem to the user only once.
 *
 * A process plans one statement at a time, but planning can nest, because a
 * function that is inlined or evaluated may plan statements.  So a static
 * variable suffices, and the caller that plans the inner statement saves the
 * notes of the outer one.
 */
#include "postgres.h"

#include "base/notes.h"

static SsdparNotes notes;

void
ssdpar_note_star_refused(const char *reason)
{
	if (notes.star_refused == NULL)
		notes.star_refused = reason;
}

void
ssdpar_note_split_refused(const char *reason)
{
	if (notes.split_refused == NULL)
		notes.split_refused = reason;
}

void
ssdpar_note_index_join_refused(const char *reason)
{
	if (notes.index_join_refused == NULL)
		notes.index_join_refused = reason;
}

void
ssdpar_note_empty(const SsdparNotes *before)
{
	notes.star_refused = before->star_refused;
	notes.split_refused = before->split_refused;
	notes.index_join_refused = before->index_join_refused;
}

void
ssdpar_note_star_offered(void)
{
	notes.star_offered = true;
}

void
ssdpar_note_index_join_offered(void)
{
	notes.index_join_offered = true;
}

void
ssdpar_note_priced(Oid tablespace, double seconds_per_unit)
{
	notes.priced_tablespace = tablespace;
	notes.seconds_per_unit = seconds_per_unit;
}

void
ssdpar_note_level_pages(const void *level, double pages)
{
	notes.measured_level = level;
	notes.level_pages = pages;
}

double
ssdpar_noted_level_pages(const void *level)
{
	return notes.measured_level == level ? notes.level_pages : -1.0;
}

void
ssdpar_note_busy(double sessions, double processes)
{
	notes.busy_known = true;
	notes.busy_sessions = sessions;
	notes.busy_processes = processes;
}

bool
ssdpar_note_first_shortage(void)
{
	if (notes.shortage_told)
		return false;
	notes.shortage_told = true;
	return true;
}

const SsdparNotes *
ssdpar_notes(void)
{
	return &notes;
}

SsdparNotes
ssdpar_notes_begin(void)
{
	SsdparNotes outer = notes;

	notes = (SsdparNotes) {0};
	return outer;
}

void
ssdpar_notes_again(void)
{
	notes = (SsdparNotes)
	{
		.shortage_told = notes.shortage_told
	};
}

/*
 * Notes that EXPLAIN shows must survive planning, because EXPLAIN prints them
 * afterwards.  The others are restored from the outer statement.
 */
void
ssdpar_notes_end(const SsdparNotes *outer, const SsdparNotes *finished)
{
	notes = *outer;
	if (finished == NULL)
		return;
	notes.left = finished->left;
	notes.star_refused = finished->star_refused;
	notes.split_refused = finished->split_refused;
	notes.index_join_refused = finished->index_join_refused;
	notes.star_offered = finished->star_offered;
	notes.index_join_offered = finished->index_join_offered;
	notes.predicted_seconds = finished->predicted_seconds;
	notes.priced_tablespace = finished->priced_tablespace;
}
