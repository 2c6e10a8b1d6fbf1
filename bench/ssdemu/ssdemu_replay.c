/*
 * ssdemu_replay.c
 *		Submits the reads of a trace to the device model.
 */
#include "ssdemu_replay.h"

#include <stdlib.h>
#include <string.h>

#include "ssdemu_model.h"

#define MAX_PROCESSES 1024
#define LINE_SIZE 256
#define NONE (-1)

typedef struct Read
{
	uint64_t	address;
	uint32_t	bytes;
	int			next;			/* of the same process, or NONE */
} Read;

typedef struct Process
{
	int			pid;
	int			first;			/* its next read, or NONE */
	int			last;
	int64_t		free;			/* when its last one is complete */
} Process;

/* What a mark holds, until it is replayed. */
typedef struct Section
{
	char		name[SSDEMU_MARK_SIZE];
	int			nprocesses;
	int			nreads;
	int			room;
	Read	   *reads;
	Process		processes[MAX_PROCESSES];
} Section;

static Process *
find_process(Section *section, int pid)
{
	Process    *process = section->processes;

	for (int i = 0; i < section->nprocesses; i++, process++)
		if (process->pid == pid)
			return process;
	if (section->nprocesses == MAX_PROCESSES)
		return NULL;
	section->nprocesses++;
	*process = (Process) {.pid = pid, .first = NONE, .last = NONE};
	return process;
}

static bool
add_read(Section *section, int pid, uint64_t address, uint32_t bytes)
{
	Process    *process = find_process(section, pid);

	if (section->nreads == section->room)
	{
		int			room = section->room == 0 ? 1024 : section->room * 2;
		Read	   *reads = reallocarray(section->reads, (size_t) room,
										 sizeof(Read));

		if (reads == NULL)
			return false;
		section->reads = reads;
		section->room = room;
	}
	if (process == NULL)
		return false;
	section->reads[section->nreads] = (Read) {address, bytes, NONE};
	if (process->last == NONE)
		process->first = section->nreads;
	else
		section->reads[process->last].next = section->nreads;
	process->last = section->nreads++;
	return true;
}

/* The process that is free first and has something to read. */
static Process *
next_process(Section *section)
{
	Process    *next = NULL;

	for (int i = 0; i < section->nprocesses; i++)
	{
		Process    *process = &section->processes[i];

		if (process->first != NONE &&
			(next == NULL || process->free < next->free))
			next = process;
	}
	return next;
}

static void
replay_section(Section *section, SsdemuModel *model, SsdemuReplay *result)
{
	Process    *process;

	memset(result, 0, sizeof(*result));
	strcpy(result->name, section->name);
	result->processes = section->nprocesses;
	while ((process = next_process(section)) != NULL)
	{
		const Read *read = &section->reads[process->first];

		process->free = ssdemu_model_submit(model, SSDEMU_READ,
											read->address, read->bytes,
											process->free);
		process->first = read->next;
		result->requests++;
		result->bytes += read->bytes;
		if (process->free > result->time)
			result->time = process->free;
	}
	section->nreads = 0;
	section->nprocesses = 0;
}

/* A line: a read is added, a mark's name given; false if it is neither. */
static bool
understand(const char *line, Section *section, const char **mark)
{
	int			pid;
	int			end = 0;
	unsigned long long address;
	unsigned long bytes;

	*mark = NULL;
	if (strncmp(line, "mark ", 5) == 0 && strlen(line + 5) < SSDEMU_MARK_SIZE)
	{
		*mark = line + 5;
		return true;
	}
	return sscanf(line, "read %d %llu %lu%n", &pid, &address, &bytes,
				  &end) == 3 && line[end] == '\0' && bytes > 0 &&
		bytes <= UINT32_MAX &&
		add_read(section, pid, address, (uint32_t) bytes);
}

bool
ssdemu_replay(FILE *trace, const SsdemuProfile *profile, uint64_t seed,
			  SsdemuReplayed replayed, void *argument, SsdemuError *error)
{
	Section    *section = calloc(1, sizeof(*section));
	SsdemuModel *model = malloc(sizeof(*model));
	bool		good = section != NULL && model != NULL;
	bool		at_end = false;
	char		line[LINE_SIZE] = "";

	while (good && !at_end)
	{
		const char *mark = "";
		SsdemuReplay result;

		at_end = fgets(line, sizeof(line), trace) == NULL;
		line[strcspn(line, "\n")] = '\0';
		if (!at_end && !understand(line, section, &mark))
			good = false;
		if (!good || mark == NULL)
			continue;
		ssdemu_model_init(model, profile, seed);
		replay_section(section, model, &result);
		if (result.name[0] != '\0')
			replayed(&result, argument);
		strcpy(section->name, mark);
	}
	if (!good)
		ssdemu_fail(error, "the trace cannot be replayed: out of memory, or "
					"not understood: \"%.100s\".", line);
	if (section != NULL)
		free(section->reads);
	free(section);
	free(model);
	return good;
}
