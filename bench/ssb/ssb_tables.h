/*
 * ssb_tables.h
 *		The five tables of the Star Schema Benchmark: names, columns, and their
 *		numbers of rows at a scale factor.
 *
 * schema.sql has the same for the server; t/003_ssbload.pl compares the two by
 * loading.  No rows are generated here.
 */
#ifndef SSB_TABLES_H
#define SSB_TABLES_H

#include <stdbool.h>
#include <stdint.h>

#include "ssb_error.h"

typedef enum SsbTable
{
	SSB_LINEORDER,
	SSB_CUSTOMER,
	SSB_SUPPLIER,
	SSB_PART,
	SSB_DATE,
} SsbTable;

#define SSB_NTABLES 5
#define SSB_MAX_COLUMNS 17

/* Days in the date table: 1992-01-01 to 1998-12-30, as in the reference. */
#define SSB_DAYS 2556

/* Values of a column's 'width' other than the longest text allowed. */
#define SSB_INT4 0
#define SSB_FLAG (-1)			/* 0 or 1 */

typedef struct SsbColumn
{
	const char *name;
	int			width;
} SsbColumn;

typedef struct SsbTableInfo
{
	const char *name;			/* of the table, and of its file before .tbl */
	const char *other_file;		/* a second name the file may have, or NULL */
	int			ncolumns;
	SsbColumn	columns[SSB_MAX_COLUMNS];
} SsbTableInfo;

extern const SsbTableInfo ssb_tables[SSB_NTABLES];

/* Finds a table by name; false if there is none. */
extern bool ssb_find_table(const char *name, SsbTable *table);

/*
 * A scale factor in millionths, so that the number of rows does not depend on
 * floating-point rounding.
 */
typedef uint32_t SsbScale;

#define SSB_SCALE_ONE 1000000
#define SSB_SCALE_MIN 10000		/* 0.01 */
#define SSB_SCALE_MAX 100000000 /* 100 */

extern bool ssb_parse_scale(const char *text, SsbScale *scale,
							SsbError *error);

/*
 * Units of each table at a scale: rows, except that SSB_LINEORDER counts
 * orders (of 1 to 7 rows each).  False if a key would not fit an int4, which
 * cannot happen for scales accepted by ssb_parse_scale.
 */
typedef struct SsbSizes
{
	uint32_t	units[SSB_NTABLES];
} SsbSizes;

extern bool ssb_sizes(SsbScale scale, SsbSizes *sizes, SsbError *error);

/* The key of order number i (from 1): 8 of every 32 keys are used. */
static inline uint64_t
ssb_order_key(uint32_t i)
{
	return ((uint64_t) (i >> 3) << 5) | (i & 7);
}

#endif							/* SSB_TABLES_H */
