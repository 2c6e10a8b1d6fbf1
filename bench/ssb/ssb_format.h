/*
 * ssb_format.h
 *		Rows as text: COPY's text format, or the reference tool's .tbl.
 *
 * None of the generated values holds a character that COPY would need
 * escaped, so none is looked for.
 */
#ifndef SSB_FORMAT_H
#define SSB_FORMAT_H

#include <stddef.h>

#include "ssb_gen.h"

typedef enum SsbStyle
{
	SSB_COPY,					/* tabs between columns */
	SSB_TBL,					/* a bar after every column */
} SsbStyle;

/* No unit (row, or order of seven rows) is longer than this. */
#define SSB_UNIT_MAX 2048

/* Decimal digits of value at p; returns the place behind them. */
extern char *ssb_put_uint(char *p, uint32_t value);

/*
 * Write unit 'row' of a table at p, which has room for SSB_UNIT_MAX bytes;
 * returns the place behind it and adds to *rows.
 */
extern char *ssb_put_unit(char *p, SsbStyle style, const SsbGen *gen,
						  SsbTable table, uint32_t row, uint64_t *rows);

/* Takes text; false means stop (the callee keeps the reason). */
typedef bool (*SsbSink) (void *arg, const char *text, size_t length,
						 uint32_t units, uint64_t rows);

/* Feed units first .. last - 1 to the sink in large pieces. */
extern bool ssb_emit(const SsbGen *gen, SsbStyle style, SsbTable table,
					 uint32_t first, uint32_t last, SsbSink sink, void *arg);

#endif							/* SSB_FORMAT_H */
