/*
 * ssdsim_trace.c
 *		Reads a trace line by line while it runs, so that its length does not
 *		matter.
 */
#include "ssdsim_trace.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

#define LINE_SIZE 256
#define MOST_BYTES (UINT64_C(1) << 30)

/* A device that falls behind this far gets the rest late. */
#define MOST_OUTSTANDING 65536

/* A request, and the unused ones. */
typedef struct Place
{
	SsdsimRequest request;		/* first, so that one leads to the other */
	struct Place *next;
} Place;

typedef struct Reader
{
	FILE	   *file;
	const char *filename;
	uint64_t	line;
	uint64_t	capacity;
	int64_t		time;			/* of the last request */
	SsdsimError *error;
	bool		failed;
	Place	   *unused;
} Reader;

static void
fail(Reader *reader, const char *what)
{
	reader->failed = true;
	ssdsim_fail(reader->error, "%s, line %llu: %s", reader->filename,
				(unsigned long long) reader->line, what);
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
	static const char *const names[] = {"read", "write", "trim"};

	for (int i = 0; text != NULL && i < 3; i++)
		if (strcmp(text, names[i]) == 0)
		{
			*kind = (SsdsimKind) i;
			return true;
		}
	return false;
}

/* What a line of four words says; true if that can be asked of the device. */
static bool
understand(Reader *reader, char **words, SsdsimRequest *request,
		   int64_t *time)
{
	if (!parse_time(words[0], time) || !parse_kind(words[1], &request->kind) ||
		!parse_whole(words[2], &request->address) ||
		!parse_whole(words[3], &request->bytes) || words[4] != NULL)
		fail(reader, "not understood; a line is a time in microseconds, read, write or trim, address and bytes.");
	else if (*time < reader->time)
		fail(reader, "the time is before that of the line above.");
	else if (request->bytes == 0)
		fail(reader, "a request of 0 bytes.");
	else if (request->bytes > MOST_BYTES)
		fail(reader, "a request of more than 1 GB.");
	else if (request->address >= reader->capacity ||
			 request->bytes > reader->capacity - request->address)
		fail(reader, "the request reaches beyond the device's end.");
	reader->time = *time;
	return !reader->failed;
}

/* The next request; false at the end, or where the trace makes no sense. */
static bool
next_request(Reader *reader, SsdsimRequest *request, int64_t *time)
{
	char		line[LINE_SIZE];

	while (fgets(line, sizeof(line), reader->file) != NULL)
	{
		char	   *words[5] = {NULL};
		char	   *rest;
		int			nwords = 0;

		reader->line++;
		if (strchr(line, '\n') == NULL)
		{
			fail(reader, strlen(line) == LINE_SIZE - 1 ? "too long." :
				 "cut off: the last line does not end.");
			return false;
		}
		line[strcspn(line, "#\n")] = '\0';
		for (char *word = strtok_r(line, " \t\r", &rest);
			 word != NULL && nwords < 5; word = strtok_r(NULL, " \t\r", &rest))
			words[nwords++] = word;
		if (nwords > 0)
			return understand(reader, words, request, time);
	}
	if (ferror(reader->file))
		fail(reader, "the rest cannot be read.");
	return false;
}

static void
give_back(Reader *reader, Place *place)
{
	place->next = reader->unused;
	reader->unused = place;
}

static void
after_request(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	(void) now;
	give_back(run->argument, (Place *) request);
}

/* Let the device work until one of its requests is complete. */
static int64_t
wait_for_place(Reader *reader, SsdsimRun *run)
{
	int64_t		now = 0;

	while (reader->unused == NULL)
	{
		ssdsim_run_step(run);
		now = run->now;
	}
	return now;
}

static void
run_all(Reader *reader, int64_t depth, SsdsimRun *run)
{
	SsdsimRequest request;
	int64_t		time = 0;
	int64_t		now = 0;

	while (next_request(reader, &request, &time))
	{
		Place	   *place;
		int64_t		free = wait_for_place(reader, run);

		now = free > now ? free : now;
		if (depth == 0 && time >= now)
		{
			ssdsim_run_until(run, time);
			now = time;
		}
		else if (depth == 0)
			run->result.late++;
		place = reader->unused;
		reader->unused = place->next;
		place->request = request;
		ssdsim_run_submit(run, &place->request, now);
	}
}

bool
ssdsim_trace_run(FILE *trace, const char *filename, int64_t depth,
				 SsdsimRun *run, SsdsimError *error)
{
	size_t		places = depth > 0 ? (size_t) depth : MOST_OUTSTANDING;
	Place	   *all = ssdsim_allocate(places, sizeof(Place));
	Reader		reader = {
		.file = trace, .filename = filename, .error = error,
		.capacity = ssdsim_spec_capacity(&run->spec)
	};

	for (size_t i = 0; i < places; i++)
		give_back(&reader, &all[i]);
	run->next = after_request;
	run->argument = &reader;
	run_all(&reader, depth, run);
	ssdsim_run_end(run);
	if (!reader.failed && run->result.requests == 0)
		fail(&reader, "the file ends without a request.");
	free(all);
	return !reader.failed;
}
