/*
 * scheduler_player.c
 *		Replays recorded streams of requests to the daemon's scheduler; not a
 *		test.
 */
#include "scheduler_player.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int	owners[CLIENTS];
Player		player;

static void
finished(void *owner, void *file, SsdpardOutcome outcome)
{
	assert_ptr_equal(file, &player);
	player.outcomes[(int *) owner - owners][outcome]++;
}

static uint64_t
tell_cpu_wait(void)
{
	return player.cpu_wait;
}

const SsdpardRules player_usual = {
	.max_ranges = 4096,
	.max_request_bytes = 256 * 1024,
	.depth = 8,
	.random_deadline = 20000,
	.sequential_deadline = 200000,
};

void
player_begin(const SsdpardRules *rules, uint32_t client_depth)
{
	memset(&player, 0, sizeof(player));
	player.service_us = 100;
	player.scheduler = ssdpard_scheduler_create(rules, finished,
												tell_cpu_wait);
	assert_non_null(player.scheduler);
	player.device = ssdpard_scheduler_device(player.scheduler, 77);
	for (int i = 0; i < CLIENTS; i++)
		player.clients[i] = ssdpard_scheduler_add_client(player.scheduler,
														 client_depth,
														 &owners[i]);
}

void
player_issue_all(void)
{
	SsdpardDeviceRequest request;

	while (ssdpard_scheduler_next(player.scheduler, player.device, player.now,
								  &request))
	{
		Issued	   *issued = &player.issued[player.nissued++];

		assert_true(player.nissued < MAX_ISSUED && player.noutstanding < 1024);
		issued->at = player.now;
		issued->offset = request.offset;
		issued->length = request.length;
		issued->client =
			(int) ((int *) ssdpard_request_owner(&request) - owners);
		issued->class = request.length > 65536 ? 's' : 'r';
		player.begins[player.noutstanding] = player.now;
		player.ends[player.noutstanding] = player.now +
			(player.service == NULL ? player.service_us :
			 player.service(request.offset));
		player.outstanding[player.noutstanding++] = request;
	}
	if (player.noutstanding > player.max_outstanding)
		player.max_outstanding = player.noutstanding;
}

static void
land(int at, SsdpardResult result, uint32_t latency)
{
	SsdpardDeviceRequest request = player.outstanding[at];
	size_t		behind = (size_t) (player.noutstanding - at - 1);

	assert_true(player.noutstanding > at);
	player.noutstanding--;
	memmove(&player.outstanding[at], &player.outstanding[at + 1],
			behind * sizeof(request));
	memmove(&player.begins[at], &player.begins[at + 1],
			behind * sizeof(uint64_t));
	memmove(&player.ends[at], &player.ends[at + 1],
			behind * sizeof(uint64_t));
	ssdpard_scheduler_done(player.scheduler, &request, result, latency);
}

void
player_land(SsdpardResult result, uint32_t latency)
{
	land(0, result, latency);
}

/* The read that completes first, or -1 if none is outstanding. */
static int
first_to_end(void)
{
	int			first = player.noutstanding - 1;

	for (int i = first - 1; i >= 0; i--)
		if (player.ends[i] <= player.ends[first])
			first = i;
	return first;
}

/* Time of the next event. */
static uint64_t
next_time(void)
{
	int			first = first_to_end();

	return first < 0 ? UINT64_MAX : player.ends[first];
}

void
player_run_until(uint64_t end)
{
	player_issue_all();
	while (next_time() <= end)
	{
		int			first = first_to_end();

		player.now = next_time();
		if (first >= 0 && player.ends[first] == player.now)
			land(first, SSDPARD_RESULT_READ, (uint32_t)
				 (player.now - player.begins[first]));
		player_issue_all();
	}
	if (player.now < end)
		player.now = end;
}

void
player_run_out(void)
{
	player_run_until(player.now);
	while (next_time() != UINT64_MAX)
		player_run_until(next_time());
}

void
player_ask(int client, char class, uint32_t stream, uint64_t offset,
		   uint32_t length)
{
	SsdpardRangeSpec spec = {player.device,
		class == 'r' ? SSDPARD_RANDOM : SSDPARD_SEQUENTIAL, stream, &player,
	offset, length};

	if (!ssdpard_scheduler_add(player.scheduler, player.clients[client],
							   &spec, player.now))
		player.refused[client]++;
}

void
player_play(const char *text)
{
	while (*text != '\0')
	{
		unsigned	ms;
		unsigned	client;
		unsigned	stream;
		unsigned	offset;
		unsigned	length;
		unsigned	repeats = 1;
		char		class;

		assert_true(sscanf(text, "%u %u %c %u %u %u x%u", &ms, &client, &class,
						   &stream, &offset, &length, &repeats) >= 6);
		assert_true(client < CLIENTS);
		if (ms * UINT64_C(1000) > player.now)
			player_run_until(ms * UINT64_C(1000));
		for (unsigned i = 0; i < repeats; i++)
			player_ask((int) client, class, stream,
					   (offset + (uint64_t) i * length) * 1024, length * 1024);
		text = strchr(text, '\n');
		assert_non_null(text);
		text++;
	}
}

uint32_t
player_accounted(int client)
{
	uint32_t	sum = player.refused[client];

	for (int i = 0; i < SSDPARD_OUTCOMES; i++)
		sum += player.outcomes[client][i];
	return sum;
}

void
player_end(void)
{
	for (int i = 0; i < CLIENTS; i++)
		if (player.clients[i] != NULL)
		{
			assert_int_equal(ssdpard_client_ranges(player.clients[i]), 0);
			ssdpard_client_free(player.clients[i]);
		}
	assert_int_equal(ssdpard_scheduler_outstanding(player.scheduler), 0);
	ssdpard_scheduler_free(player.scheduler);
}
