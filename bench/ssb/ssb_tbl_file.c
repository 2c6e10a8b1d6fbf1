/*
 * ssb_tbl_file.c
 *		Finds a table's .tbl files and reads them line by line.
 */
#include "ssb_tbl.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define OUT_SIZE (128 * 1024)

/* The reference tool splits a table into at most this many files. */
#define SPLITS_MAX 1000

/* The position of reading, for error messages. */
typedef struct Reader
{
	const SsbTblFile *file;
	const char *base;			/* the file's name without its directory */
	FILE	   *stream;
	uint64_t	line;
	uint64_t	rows;			/* in 'out' */
	uint32_t	bytes;			/* of input in 'out' */
	size_t		used;
	char		in[SSB_TBL_LINE_MAX + 2];
	char		out[OUT_SIZE];
} Reader;

static char *
make_path(const char *directory, const char *name, int split)
{
	char	   *path = NULL;
	int			length;

	if (split == 0)
		length = asprintf(&path, "%s/%s.tbl", directory, name);
	else
		length = asprintf(&path, "%s/%s.tbl.%d", directory, name, split);
	return length < 0 ? NULL : path;
}

/* Adds a file to the list if it exists; false only on failure. */
static bool
add_file(const char *directory, const char *name, SsbTable table, int split,
		 SsbTblList *list, bool *found, SsbError *error)
{
	char	   *path = make_path(directory, name, split);
	SsbTblFile *files;
	struct stat st;

	*found = false;
	if (path == NULL)
		return ssb_fail(error, "out of memory");
	if (stat(path, &st) != 0)
	{
		int			saved = errno;

		free(path);
		if (saved == ENOENT)
			return true;
		return ssb_fail(error, "cannot look for %s.tbl in \"%s\": %s", name,
						directory, strerror(saved));
	}
	files = realloc(list->files,
					sizeof(SsbTblFile) * ((size_t) list->nfiles + 1));
	if (files == NULL)
	{
		free(path);
		return ssb_fail(error, "out of memory");
	}
	list->files = files;
	files[list->nfiles++] =
		(SsbTblFile) {table, (uint64_t) st.st_size, path};
	*found = true;
	return true;
}

static bool
both_found(const char *one, const char *other, SsbError *error)
{
	return ssb_fail(error, "both %s and %s are there: remove the set that is "
					"not to be loaded", one, other);
}

/* name.tbl.1, name.tbl.2, ...: all splits, without a gap. */
static bool
find_splits(const char *directory, const char *name, SsbTable table,
			SsbTblList *list, int *nfound, SsbError *error)
{
	int			missing = 0;

	for (int split = 1; split <= SPLITS_MAX; split++)
	{
		bool		found;

		if (!add_file(directory, name, table, split, list, &found, error))
			return false;
		if (!found && missing == 0)
			missing = split;
		if (found && missing != 0)
			return ssb_fail(error, "%s.tbl.%d is missing although %s.tbl.%d "
							"is there: every part of the table is needed",
							name, missing, name, split);
		*nfound += found;
	}
	return true;
}

static bool
find_name(const char *directory, const char *name, SsbTable table,
		  SsbTblList *list, int *nfound, SsbError *error)
{
	bool		whole;
	int			splits = 0;

	if (!add_file(directory, name, table, 0, list, &whole, error) ||
		!find_splits(directory, name, table, list, &splits, error))
		return false;
	if (whole && splits > 0)
	{
		char		one[64];
		char		other[64];

		snprintf(one, sizeof(one), "%s.tbl", name);
		snprintf(other, sizeof(other), "%s.tbl.1", name);
		return both_found(one, other, error);
	}
	*nfound += whole + splits;
	return true;
}

bool
ssb_tbl_find(const char *directory, SsbTable table, SsbTblList *list,
			 SsbError *error)
{
	const SsbTableInfo *info = &ssb_tables[table];
	int			nfound = 0;
	int			nother = 0;

	if (!find_name(directory, info->name, table, list, &nfound, error))
		return false;
	if (info->other_file != NULL &&
		!find_name(directory, info->other_file, table, list, &nother, error))
		return false;
	if (nfound > 0 && nother > 0)
		return both_found("date.tbl", "ddate.tbl", error);
	if (nfound + nother == 0)
		return ssb_fail(error, "%s.tbl is missing in \"%s\": the directory "
						"must hold the reference tool's files (or load one "
						"table with --table)", info->name, directory);
	return true;
}

void
ssb_tbl_free(SsbTblList *list)
{
	for (int i = 0; i < list->nfiles; i++)
		free(list->files[i].path);
	free(list->files);
	list->files = NULL;
	list->nfiles = 0;
}

static bool
bad_line(const Reader *reader, SsbError *error, const SsbError *reason)
{
	return ssb_fail(error, "%s, line %llu: %s", reader->base,
					(unsigned long long) reader->line, reason->text);
}

/* Length of the line just read, without its newline (or CR and newline). */
static bool
check_line_end(Reader *reader, size_t *length, SsbError *error)
{
	SsbError	reason;
	size_t		got = *length;

	if (got > 0 && reader->in[got - 1] == '\n')
	{
		got--;
		if (got > 0 && reader->in[got - 1] == '\r')
			got--;
		*length = got;
		return true;
	}
	if (got > SSB_TBL_LINE_MAX)
		ssb_fail(&reason, "longer than %d bytes: is this a .tbl file?",
				 SSB_TBL_LINE_MAX);
	else
		ssb_fail(&reason, "no newline at its end: the file is cut off");
	return bad_line(reader, error, &reason);
}

/*
 * The bytes up to and including the next newline, at most one more than a line
 * may have.  Uses getc_unlocked instead of fgets, because a NUL byte must not
 * hide the rest.
 */
static size_t
next_line(Reader *reader)
{
	size_t		length = 0;
	int			c;

	while (length <= SSB_TBL_LINE_MAX &&
		   (c = getc_unlocked(reader->stream)) != EOF)
	{
		reader->in[length++] = (char) c;
		if (c == '\n')
			break;
	}
	return length;
}

static bool
flush_rows(Reader *reader, SsbSink sink, void *arg)
{
	bool		ok = sink(arg, reader->out, reader->used, reader->bytes,
						  reader->rows);

	reader->used = 0;
	reader->rows = 0;
	reader->bytes = 0;
	return ok;
}

static bool
take_line(Reader *reader, size_t length, SsbError *error)
{
	SsbError	reason;
	size_t		written;

	reader->line++;
	reader->bytes += (uint32_t) length;
	if (!check_line_end(reader, &length, error))
		return false;
	if (!ssb_tbl_convert(reader->file->table, reader->in, length,
						 reader->out + reader->used, &written, &reason))
		return bad_line(reader, error, &reason);
	reader->used += written;
	reader->rows++;
	return true;
}

static bool
read_lines(Reader *reader, SsbSink sink, void *arg, SsbError *error)
{
	size_t		length;

	while ((length = next_line(reader)) > 0)
	{
		if (!take_line(reader, length, error))
			return false;
		if (reader->used > OUT_SIZE - 2 * SSB_TBL_LINE_MAX - 2 &&
			!flush_rows(reader, sink, arg))
			return false;
	}
	if (ferror(reader->stream))
		return ssb_fail(error, "cannot read \"%s\": %s", reader->file->path,
						strerror(errno));
	if (reader->line == 0)
		return ssb_fail(error, "%s is empty: the table would have no rows",
						reader->base);
	return reader->rows == 0 || flush_rows(reader, sink, arg);
}

bool
ssb_tbl_read(const SsbTblFile *file, SsbSink sink, void *arg,
			 SsbError *error)
{
	Reader	   *reader = calloc(1, sizeof(Reader));
	bool		ok = false;

	if (reader == NULL)
		return ssb_fail(error, "out of memory");
	reader->file = file;
	reader->base = strrchr(file->path, '/') + 1;
	reader->stream = fopen(file->path, "r");
	if (reader->stream == NULL)
		ssb_fail(error, "cannot open \"%s\": %s", file->path,
				 strerror(errno));
	else
	{
		ok = read_lines(reader, sink, arg, error);
		fclose(reader->stream);
	}
	free(reader);
	return ok;
}
