/*
 * ssb_tbl.c
 *		Checks one line of a .tbl file and converts it to COPY text.
 *		ssb_tbl_file.c handles files.
 */
#include "ssb_tbl.h"

#include <string.h>

static int
count_columns(const char *line, size_t length)
{
	int			bars = 0;

	for (size_t i = 0; i < length; i++)
		bars += line[i] == '|';
	/* A bar at the end closes the last column, without opening another. */
	return bars + (length == 0 || line[length - 1] != '|');
}

static bool
check_bytes(const char *line, size_t length, SsbError *error)
{
	for (size_t i = 0; i < length; i++)
	{
		unsigned char c = (unsigned char) line[i];

		if (c < 0x20 || c >= 0x7f)
			return ssb_fail(error, "byte 0x%02x at position %zu: the "
							"benchmark's data is plain ASCII text", c, i + 1);
	}
	return true;
}

static bool
check_number(const SsbColumn *column, const char *text, size_t length,
			 SsbError *error)
{
	bool		minus = length > 0 && text[0] == '-';
	int64_t		limit = (int64_t) INT32_MAX + minus;
	int64_t		value = 0;
	int			shown = length < 40 ? (int) length : 40;

	for (size_t i = minus; i < length; i++)
	{
		if (text[i] < '0' || text[i] > '9')
			return ssb_fail(error, "%s is \"%.*s\", a number is expected",
							column->name, shown, text);
		if (value <= limit)
			value = value * 10 + (text[i] - '0');
	}
	if (length == minus)
		return ssb_fail(error, "%s is empty, a number is expected",
						column->name);
	if (column->width == SSB_FLAG && (minus || value > 1))
		return ssb_fail(error, "%s is %.*s, 0 or 1 is expected",
						column->name, shown, text);
	if (value > limit)
		return ssb_fail(error, "%s is %.*s, out of the range of int4 "
						"(-2147483648 to 2147483647)",
						column->name, shown, text);
	return true;
}

static bool
check_column(const SsbColumn *column, const char *text, size_t length,
			 SsbError *error)
{
	if (column->width <= 0)
		return check_number(column, text, length, error);
	if (length > (size_t) column->width)
		return ssb_fail(error, "%s has %zu characters, at most %d fit",
						column->name, length, column->width);
	return true;
}

/* COPY reads a backslash as an escape. */
static char *
put_escaped(char *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++)
	{
		if (text[i] == '\\')
			*out++ = '\\';
		*out++ = text[i];
	}
	return out;
}

bool
ssb_tbl_convert(SsbTable table, const char *line, size_t length, char *out,
				size_t *out_length, SsbError *error)
{
	const SsbTableInfo *info = &ssb_tables[table];
	int			ncolumns = count_columns(line, length);
	const char *text = line;
	const char *end = line + length;
	char	   *p = out;

	if (ncolumns != info->ncolumns)
		return ssb_fail(error, "%d columns, %d expected", ncolumns,
						info->ncolumns);
	if (!check_bytes(line, length, error))
		return false;
	for (int i = 0; i < ncolumns; i++)
	{
		const char *bar = memchr(text, '|', (size_t) (end - text));
		size_t		width = (size_t) ((bar != NULL ? bar : end) - text);

		if (!check_column(&info->columns[i], text, width, error))
			return false;
		p = put_escaped(p, text, width);
		*p++ = i + 1 < ncolumns ? '\t' : '\n';
		text += width + (bar != NULL);
	}
	*out_length = (size_t) (p - out);
	return true;
}
