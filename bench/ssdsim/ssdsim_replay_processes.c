/*
 * ssdsim_replay_processes.c
 *		Replays the reads of a trace, mark by mark, one at a time per process.
 */
#include "ssdsim_replay.h"

#include <stdlib.h>
#include <string.h>

#include "ssdsim_memory.h"

#define MAX_PROCESSES 1024
#define NONE (-1)

typedef struct Read
{
	uint64_t	address;
	uint64_t	bytes;
	int			next;			/* of the same process, or NONE */
} Read;

typedef struct Process
{
	SsdsimRequest request;		/* first, so that both have the same address */
	uint64_t	number;
	int			first;			/* its next read, or NONE */
	int			last;
} Process;

/* The contents of a mark, until it is run. */
typedef struct Section
{
	char		name[SSDSIM_MARK_SIZE];
	int			nprocesses;
	int			nreads;
	int			room;
	Read	   *reads;
	Process		processes[MAX_PROCESSES];
} Section;

static Process *
find_process(Section *section, uint64_t number)
{
	Process    *process = section->processes;

	for (int i = 0; i < section->nprocesses; i++, process++)
		if (process->number == number)
			return process;
	if (section->nprocesses == MAX_PROCESSES)
		return NULL;
	section->nprocesses++;
	*process = (Process)
	{
		.number = number, .first = NONE, .last = NONE
	};
	return process;
}

static bool
add_read(Section *section, SsdsimTrace *trace, const SsdsimRequest *request)
{
	Process    *process = find_process(section, trace->process);

	if (process == NULL)
		return ssdsim_trace_fail(trace, "more than 1024 processes between two marks.");
	if (section->nreads == section->room)
	{
		section->room = section->room == 0 ? 1024 : section->room * 2;
		section->reads = ssdsim_enlarge(section->reads, (size_t) section->room,
										sizeof(Read));
	}
	section->reads[section->nreads] = (Read)
	{
		request->address, request->bytes, NONE
	};
	if (process->last == NONE)
		process->first = section->nreads;
	else
		section->reads[process->last].next = section->nreads;
	process->last = section->nreads++;
	return true;
}

/* The next read of the process to which a request belongs. */
static void
ask(SsdsimRun *run, SsdsimRequest *request, int64_t now)
{
	const Section *section = run->argument;
	Process    *process = (Process *) request;
	const Read *read;

	if (process->first == NONE)
		return;
	read = &section->reads[process->first];
	process->first = read->next;
	request->kind = SSDSIM_READ;
	request->address = read->address;
	request->bytes = read->bytes;
	ssdsim_run_submit(run, request, now);
}

static void
run_section(Section *section, const SsdsimSpec *spec,
			const SsdsimPolicy *policy, uint64_t seed,
			SsdsimReplayed *replayed)
{
	static SsdsimRun run;

	ssdsim_run_begin(&run, spec, policy, seed, 0);
	run.next = ask;
	run.argument = section;
	for (int i = 0; i < section->nprocesses; i++)
		ask(&run, &section->processes[i].request, 0);
	ssdsim_run_end(&run);
	*replayed = (SsdsimReplayed)
	{
		.name = section->name, .requests = run.result.requests,
			.bytes = run.result.bytes, .processes = section->nprocesses,
			.time = run.result.time
	};
}

bool
ssdsim_replay_processes(SsdsimTrace *trace, const SsdsimPolicy *policy,
						uint64_t seed, SsdsimTold told, void *argument)
{
	Section    *section = ssdsim_allocate(1, sizeof(*section));
	SsdsimTraceLine line = SSDSIM_TRACE_MARK;
	SsdsimRequest request = {0};
	bool		marked = false;

	while (line != SSDSIM_TRACE_END && !trace->failed)
	{
		SsdsimReplayed replayed;

		line = ssdsim_trace_next(trace, &request);
		if (line == SSDSIM_TRACE_REQUEST)
		{
			if (request.kind == SSDSIM_READ && section->name[0] != '\0')
				add_read(section, trace, &request);
			continue;
		}
		if (section->name[0] != '\0' && !trace->failed)
		{
			run_section(section, trace->spec, policy, seed, &replayed);
			told(&replayed, argument);
			marked = true;
		}
		section->nreads = section->nprocesses = 0;
		strcpy(section->name, trace->mark);
	}
	free(section->reads);
	free(section);
	if (!marked && !trace->failed)
		return ssdsim_trace_fail(trace, "the file ends without a line \"mark NAME\", so no read belongs to one. Put such a line before the first request.");
	return !trace->failed;
}
