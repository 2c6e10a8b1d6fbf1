/*
 * table_rows.h
 *		Reads all rows of a table for the planner, as they are now.
 */
#ifndef SSDPAR_TABLE_ROWS_H
#define SSDPAR_TABLE_ROWS_H

#include "access/tableam.h"
#include "utils/rel.h"

typedef struct SsdparTableRows
{
	TupleTableSlot *slot;		/* the row, valid until the next one */
	TableScanDesc scan;
	Snapshot	snapshot;
} SsdparTableRows;

/*
 * Begin, then ask for the next row until there is none, then end.  All rows
 * are those of one moment, which is not before the beginning.  The table must
 * be locked; no predicate lock is taken.
 */
extern void ssdpar_begin_rows(SsdparTableRows *rows, Relation table);
extern bool ssdpar_next_row(SsdparTableRows *rows);
extern void ssdpar_end_rows(SsdparTableRows *rows);

#endif							/* SSDPAR_TABLE_ROWS_H */
