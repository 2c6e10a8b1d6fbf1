/*
 * ssb_format.h
 *		Rows as text: COPY's text format, or the reference tool's .tbl.
 *
 * No generated value contains a character that COPY would need to escape, so
 * we do not check for them.
 */
#ifndef SSB_FORMAT_H
#define SSB_FORMAT_H

#include <stddef.h>

#include "ssb_gen.h"

typedef enum SsbStyle
{
	SSB_COPY,					/* tabs between columns */
	SSB_TBL,					/* a bar after each column */
} SsbStyle;

/* No unit (row, or order of seven rows) is longer than this. */
#define SSB_UNIT_MAX 2048

/* Writes value in decimal at p; returns the position after it. */
extern char *ssb_put_uint(char *p, uint32_t value);

/*
 * Writes unit 'row' of a table at p, which has room for SSB_UNIT_MAX bytes;
 * returns the position after it and adds to *rows.
 */
extern char *ssb_put_unit(char *p, SsbStyle style, const SsbGen *gen,
						  SsbTable table, uint32_t row, uint64_t *rows);

/* Takes text; returns false to stop (the callee stores the reason). */
typedef bool (*SsbSink) (void *arg, const char *text, size_t length,
						 uint32_t units, uint64_t rows);

/* Passes units first .. last - 1 to the sink in large pieces. */
extern bool ssb_emit(const SsbGen *gen, SsbStyle style, SsbTable table,
					 uint32_t first, uint32_t last, SsbSink sink, void *arg);

#endif							/* SSB_FORMAT_H */
