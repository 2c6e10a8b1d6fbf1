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

#include "executor/instrument.h"

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

static double
session_pages(void)
{
	return (double) (pgBufferUsage.shared_blks_hit +
					 pgBufferUsage.shared_blks_read +
					 pgBufferUsage.local_blks_hit +
					 pgBufferUsage.local_blks_read);
}

static SsdparWork
all_work(void)
{
	SsdparWork	sum = {0};

	for (int i = 0; i < SSDPAR_WORK_KINDS; i++)
	{
		sum.pages += notes.work[i].pages;
		sum.seconds += notes.work[i].seconds;
	}
	return sum;
}

void
ssdpar_note_work_begin(SsdparWorkSpan *span)
{
	span->before = all_work();
	span->pages = session_pages();
	INSTR_TIME_SET_CURRENT(span->begun);
}

/* Work that was noted within the span is not counted again.  */
void
ssdpar_note_work_end(const SsdparWorkSpan *span, SsdparWorkKind kind)
{
	SsdparWork	after = all_work();
	SsdparWork *work = &notes.work[kind];
	instr_time	now;

	INSTR_TIME_SET_CURRENT(now);
	INSTR_TIME_SUBTRACT(now, span->begun);
	work->times += 1.0;
	work->seconds += INSTR_TIME_GET_DOUBLE(now) -
		(after.seconds - span->before.seconds);
	work->pages += session_pages() - span->pages -
		(after.pages - span->before.pages);
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
	memcpy(notes.work, finished->work, sizeof(notes.work));
}
