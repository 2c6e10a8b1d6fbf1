/*
 * ssb_tbl.h
 *		Reads the reference tool's .tbl files: one row per line, a bar after
 *		every column (the last bar may be missing).
 *
 * Every line is checked before it is sent, because only here the file's name
 * and line number are known.  Uniqueness of keys and references are not
 * checked.
 */
#ifndef SSB_TBL_H
#define SSB_TBL_H

#include <stddef.h>
#include <stdio.h>

#include "ssb_format.h"

/* The longest line accepted; those of the reference tool are under 200. */
#define SSB_TBL_LINE_MAX 1024

/*
 * Converts one line, without its newline, to a row of COPY text with a
 * newline.  'out' has room for 2 * length + 1 bytes.  False: error tells the
 * problem, without naming file or line.
 */
extern bool ssb_tbl_convert(SsbTable table, const char *line, size_t length,
							char *out, size_t *out_length, SsbError *error);

/* One input file of a table. */
typedef struct SsbTblFile
{
	SsbTable	table;
	uint64_t	bytes;
	char	   *path;
} SsbTblFile;

typedef struct SsbTblList
{
	int			nfiles;
	SsbTblFile *files;
} SsbTblList;

/*
 * Finds a table's files in a directory: NAME.tbl, or NAME.tbl.1, NAME.tbl.2
 * and so on without a gap.  Adds them to the list.
 */
extern bool ssb_tbl_find(const char *directory, SsbTable table,
						 SsbTblList *list, SsbError *error);
extern void ssb_tbl_free(SsbTblList *list);

/* Passes a whole file to the sink, as COPY text; units are bytes read. */
extern bool ssb_tbl_read(const SsbTblFile *file, SsbSink sink, void *arg,
						 SsbError *error);

#endif							/* SSB_TBL_H */
