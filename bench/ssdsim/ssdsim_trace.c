/*
 * ssdsim_trace.c
 *		Reads a trace line by line, so that its length does not matter.
 */
#include "ssdsim_trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LINE_SIZE 256
#define MOST_BYTES (UINT64_C(1) << 30)
#define MOST_WORDS 6			/* one more than a line may have */

bool
ssdsim_trace_fail(SsdsimTrace *trace, const char *what)
{
	trace->failed = true;
	return ssdsim_fail(trace->error, "%s, line %llu: %s", trace->filename,
					   (unsigned long long) trace->line, what);
}

static bool
parse_whole(const char *text, uint64_t *value)
{
	char	   *end;

	if (text == NULL || text[0] < '0' || text[0] > '9')
		return false;
	errno = 0;
	*value = strtoull(text, &end, 10);
	return *end == '\0' && errno == 0;
}

static bool
parse_time(const char *text, int64_t *time)
{
	char	   *end;
	double		value;

	if (text == NULL || text[strspn(text, "0123456789.")] != '\0')
		return false;
	value = strtod(text, &end);
	if (end == text || *end != '\0' || !(value < 1e15))
		return false;
	*time = llround(value * 1e3);
	return true;
}

static bool
parse_kind(const char *text, SsdsimKind *kind)
{
	for (int i = 0; text != NULL && i < SSDSIM_KINDS; i++)
		if (strcmp(text, ssdsim_kind_name((SsdsimKind) i)) == 0)
		{
			*kind = (SsdsimKind) i;
			return true;
		}
	return false;
}

static bool
parse_words(SsdsimTrace *trace, char **words, SsdsimRequest *request,
			int64_t *time)
{
	trace->process = 0;
	return parse_time(words[0], time) && parse_kind(words[1], &request->kind) &&
		parse_whole(words[2], &request->address) &&
		parse_whole(words[3], &request->bytes) &&
		(words[4] == NULL || parse_whole(words[4], &trace->process)) &&
		words[5] == NULL;
}

/* Is it within the device, possibly after folding? */
static bool
fits(const SsdsimTrace *trace, SsdsimRequest *request)
{
	uint64_t	capacity = ssdsim_spec_capacity(trace->spec);

	if (request->bytes > capacity)
		return false;
	if (trace->fold)
		request->address = ssdsim_spec_fold(trace->spec, request->address,
											request->bytes);
	return request->address <= capacity - request->bytes;
}

/* Parses the words of a line; true if it is a valid request. */
static bool
understand(SsdsimTrace *trace, char **words, SsdsimRequest *request)
{
	int64_t		time = 0;

	if (!parse_words(trace, words, request, &time))
		return ssdsim_trace_fail(trace, "not understood; a line is a time in microseconds, read, write, trim or flush, address and bytes, perhaps a process.");
	if (time < trace->time)
		return ssdsim_trace_fail(trace, "the time is before that of the line above.");
	trace->time = time;
	if (request->kind == SSDSIM_FLUSH)
		return (request->address == 0 && request->bytes == 0) ||
			ssdsim_trace_fail(trace, "a flush has address 0 and 0 bytes.");
	if (request->bytes == 0)
		return ssdsim_trace_fail(trace, "a request of 0 bytes.");
	if (request->bytes > MOST_BYTES)
		return ssdsim_trace_fail(trace, "a request of more than 1 GB.");
	return fits(trace, request) ||
		ssdsim_trace_fail(trace, "the request reaches beyond the device's end.");
}

/* The next line without its end; false at the end. */
static bool
next_line(SsdsimTrace *trace, char *line)
{
	if (fgets(line, LINE_SIZE, trace->file) == NULL)
		return !ferror(trace->file) ? false :
			ssdsim_trace_fail(trace, "the rest cannot be read.");
	trace->line++;
	if (strchr(line, '\n') == NULL)
		return ssdsim_trace_fail(trace, strlen(line) == LINE_SIZE - 1 ?
								 "too long." : !feof(trace->file) ?
								 "a byte of zero. A trace is text." :
								 "cut off: the last line does not end.");
	line[strcspn(line, "\n")] = '\0';
	return true;
}

/* Is a line a mark, whose name may contain anything? */
static bool
is_mark(SsdsimTrace *trace, const char *line)
{
	if (strncmp(line, "mark", 4) != 0 || (line[4] != ' ' && line[4] != '\0'))
		return false;
	snprintf(trace->mark, sizeof(trace->mark), "%.*s", SSDSIM_MARK_SIZE - 1,
			 line[4] == ' ' ? line + 5 : "");
	return true;
}

SsdsimTraceLine
ssdsim_trace_next(SsdsimTrace *trace, SsdsimRequest *request)
{
	char		line[LINE_SIZE];

	while (next_line(trace, line))
	{
		char	   *words[MOST_WORDS] = {NULL};
		char	   *rest;
		int			nwords = 0;

		if (is_mark(trace, line))
			return SSDSIM_TRACE_MARK;
		line[strcspn(line, "#")] = '\0';
		for (char *word = strtok_r(line, " \t\r", &rest);
			 word != NULL && nwords < MOST_WORDS;
			 word = strtok_r(NULL, " \t\r", &rest))
			words[nwords++] = word;
		if (nwords > 0)
			return understand(trace, words, request) ? SSDSIM_TRACE_REQUEST :
				SSDSIM_TRACE_END;
	}
	return SSDSIM_TRACE_END;
}
