/*
 * ssdsim_process.c
 *		A process, whose state is its current page.
 *
 * A scan announces by the extension's own window (src/prefetch/window.h); a
 * list of pages is as far ahead as in src/prefetch/page_list.c.  The kernel
 * reads pages that are not there when the process needs them: a single page if
 * at random, or in order as much as Linux reads ahead, 16 kB and then twice as
 * much each time up to 128 kB, the next part when the process reaches the
 * previous one.
 */
#include "ssdsim_process.h"

#include "bench/ssdsim/ssdsim_random.h"
#include "prefetch/page_lead.h"

/* Linux, in blocks: read_ahead_kb 128, the default. */
#define AHEAD_FIRST 2
#define AHEAD_MOST 16

#define LOG_BYTES (UINT64_C(64) << 20)

/* scan_window.c's, with default settings. */
static const SsdparWindowSizes sizes = {
	.window = (32 << 20) / SSDSIM_BLOCK, .first = (1 << 20) / SSDSIM_BLOCK,
	.io = (256 << 10) / SSDSIM_BLOCK, .segment = 131072,
	.grace = (512 << 10) / SSDSIM_BLOCK,
};

static void advance(void *whom);

/* Page number I of a run, the same whenever it is requested. */
static uint64_t
block_at(const SsdsimProcess *process, uint64_t i)
{
	uint64_t	state = process->random + i;

	if (process->work->sequential)
		return process->first + i % process->work->table;
	return process->first +
		ssdsim_random_below(&state, process->work->table);
}

static bool
in_buffers(const SsdsimProcess *process, uint64_t i)
{
	uint64_t	state = ~(process->random + i);

	return ssdsim_random_below(&state, 1000) < process->work->in_buffers;
}

/* ----- reading ahead ----- */

static void
announce_scan(SsdsimProcess *process)
{
	SsdparSpan	span;
	uint32_t	block;
	uint32_t	count;

	if (ssdpar_window_advance(&process->window, (uint32_t) process->page,
							  &span) != SSDPAR_WINDOW_ANNOUNCE)
		return;
	while (ssdpar_window_next_read(&process->window, &span, &block, &count))
		ssdsim_ssdpard_ask(process->daemon, process->client,
						   SSDPARD_SEQUENTIAL, process->first + block, count);
}

static void
announce_list(SsdsimProcess *process)
{
	uint64_t	lead = process->lead > 0 ? process->lead :
		ssdpar_lead_of_daemon(process->depth);
	uint64_t	end = process->page + lead;

	if (process->asked + process->depth > end)
		return;
	if (process->asked < process->page)
		process->asked = process->page;
	for (; process->asked < end && process->asked < process->pages;
		 process->asked++)
		ssdsim_ssdpard_ask(process->daemon, process->client, SSDPARD_RANDOM,
						   block_at(process, process->asked), 1);
}

/* The next part of the kernel's window, if anything is left to read. */
static void
kernel_ahead(SsdsimProcess *process, uint64_t from, uint64_t count)
{
	uint64_t	end = process->first + process->work->table;
	uint64_t	last;

	if (count > end - from)
		count = end - from;
	process->ahead = from;
	process->ahead_end = from;
	if (ssdsim_machine_fetch(process->machine, from, count, &last) > 0)
		process->ahead_end = from + count;
}

static void
kernel_reads(SsdsimProcess *process, uint64_t block)
{
	uint64_t	size = process->ahead_end - process->ahead;

	if (ssdsim_machine_lacks(process->machine, block))
		kernel_ahead(process, block, AHEAD_FIRST);
	else if (size > 0 && block == process->ahead)
		kernel_ahead(process, process->ahead_end,
					 2 * size < AHEAD_MOST ? 2 * size : AHEAD_MOST);
}

/* ----- the steps ----- */

static void
begin(SsdsimProcess *process)
{
	process->page = 0;
	process->asked = 0;
	process->ahead = process->ahead_end = 0;
	if (process->client != NULL && process->work->sequential)
		ssdpar_window_init(&process->window, &sizes,
						   (uint32_t) process->work->table, 0);
}

static void
come_to_end(SsdsimProcess *process)
{
	const SsdsimWork *work = process->work;

	process->ended = true;
	process->end = process->machine->now;
	if (!process->again)
		process->stopped = true;
	else
	{
		/* other pages next time, or none in memory */
		process->random += process->pages;
		ssdsim_machine_forget(process->machine, process->first, work->table);
		begin(process);
	}
}

/* Makes the page be read if necessary; true if it is there. */
static bool
have_page(SsdsimProcess *process)
{
	uint64_t	block = block_at(process, process->page);
	uint64_t	last;

	if (in_buffers(process, process->page))
		return true;
	if (process->client != NULL && process->work->sequential)
		announce_scan(process);
	else if (process->client != NULL)
		announce_list(process);
	if (process->work->sequential)
		kernel_reads(process, block);
	else
		ssdsim_machine_fetch(process->machine, block, 1, &last);
	if (ssdsim_machine_has(process->machine, block))
		return true;
	ssdsim_machine_await(process->machine, block, &process->there);
	return false;
}

static void
compute(void *whom)
{
	SsdsimProcess *process = whom;

	if (process->waits != NULL)
		ssdsim_histogram_add(process->waits,
							 process->machine->now - process->wanted);
	if (!process->stopped)
		ssdsim_machine_after(process->machine, process->work->compute,
							 &process->computed);
}

/* A write begins, as others see it. */
static void
note_write(SsdsimProcess *process)
{
	process->writing = process->machine->now;
	process->machine->writers += !process->work->elsewhere;
}

/* ... and has ended. */
static void
note_written(SsdsimProcess *process)
{
	SsdsimMachine *machine = process->machine;

	if (!process->work->elsewhere)
	{
		machine->writers--;
		return;
	}
	machine->flushes++;
	machine->flush_time += machine->now - process->writing;
}

/* After a step's pages are read, it writes; then comes the next step. */
static void
write_or_go_on(void *whom)
{
	SsdsimProcess *process = whom;
	const SsdsimWork *work = process->work;

	if (process->stopped)
		return;
	if (process->written < work->writes)
	{
		process->written++;
		process->log = (process->log / LOG_BYTES * LOG_BYTES) +
			(process->log + work->write_bytes) % LOG_BYTES;
		note_write(process);
		ssdsim_machine_write(process->machine,
							 ssdsim_machine_device(process->machine,
												   process->first),
							 process->log, work->write_bytes,
							 &process->stored);
		return;
	}
	process->written = 0;
	if (process->page == process->pages)
		come_to_end(process);
	if (!process->stopped)
		advance(process);
}

static void
stored(void *whom)
{
	note_written(whom);
	write_or_go_on(whom);
}

static void
computed(void *whom)
{
	SsdsimProcess *process = whom;

	if (process->stopped)
		return;
	process->page++;
	if (process->page % process->work->reads == 0)
		write_or_go_on(process);
	else
		advance(process);
}

static void
advance(void *whom)
{
	SsdsimProcess *process = whom;

	process->wanted = process->machine->now;
	if (have_page(process))
		compute(process);
}

void
ssdsim_process_begin(SsdsimProcess *process)
{
	process->pages = process->work->steps * process->work->reads;
	process->there = (SsdsimCall)
	{
		.call = compute, .whom = process
	};
	process->computed = (SsdsimCall)
	{
		.call = computed, .whom = process
	};
	process->stored = (SsdsimCall)
	{
		.call = stored, .whom = process
	};
	if (process->daemon != NULL && process->work->known_ahead)
		process->client = ssdsim_ssdpard_connect(process->daemon);
	if (process->client != NULL && process->allowed != NULL)
		ssdpard_client_heed(process->client, process->allowed);
	begin(process);
	advance(process);
}

void
ssdsim_process_disconnect(SsdsimProcess *process)
{
	if (process->client != NULL)
		ssdsim_ssdpard_disconnect(process->daemon, process->client);
	process->client = NULL;
}
