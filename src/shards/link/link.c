/*
 * link.c
 *		Time that rows and keys take between this server and a remote one.
 *
 * Rows are sent as text.  They are fetched in batches, and each fetch costs
 * one latency because it is requested when the previous one is used up.  Keys
 * are sent once, as the text of an array, with the query.
 *
 * postgres_fdw's own costs of a server (fdw_tuple_cost) do not tell this time:
 * they are in planner units, and by default the same for every server.
 * Therefore this file has default times, in seconds, for links that
 * ssdpar.calibrate_server() has not measured.
 *
 * Each server has its own device and processors.  A query that reads tables of
 * several servers waits for the slowest one, or for the coordinator if that
 * spends more time on all rows than any remote server on its own.  All servers
 * at one address are one machine, so they take turns.
 */
#include <math.h>

#include "shards/link/link.h"

/* Two neighboring machines connected by a gigabit a second. */
#define LATENCY_SECONDS 200e-6
#define BYTES_PER_SECOND 117e6

/*
 * CPU time at each end.  A row and its columns are converted to text and sent,
 * or received and parsed.  A key is too, and is added to a hash table at the
 * remote end.  A byte of a filter is sent as two digits.  A test looks a row
 * up in the hash table or filter.
 */
#define ROW_SECONDS 0.3e-6
#define COLUMN_SECONDS 0.1e-6
#define KEY_SECONDS 0.1e-6
#define FILTER_BYTE_SECONDS 2e-9
#define TEST_SECONDS 30e-9

/* As text: overhead of a column, a key of seven digits with a comma. */
#define COLUMN_BYTES 4.0
#define KEY_BYTES 8.0
#define FILTER_BYTE_BYTES 2.0

/* Planner cost of reading a row: the server's default cpu_tuple_cost. */
#define ROW_COST 0.01

SsdparLink
ssdpar_default_link(double rows_per_fetch)
{
	SsdparLink	link = {
		.latency_seconds = LATENCY_SECONDS,
		.bytes_per_second = BYTES_PER_SECOND,
		.rows_per_fetch = rows_per_fetch,
	};

	return link;
}

SsdparSpent
ssdpar_link_rows(const SsdparLink *link, double rows, double width,
				 int columns)
{
	double		bytes = rows * (width + columns * COLUMN_BYTES);
	double		computing = rows * (ROW_SECONDS + columns * COLUMN_SECONDS);

	SsdparSpent spent = {
		.here = computing,
		.there = computing + bytes / link->bytes_per_second +
			ceil(rows / link->rows_per_fetch) * link->latency_seconds,
	};

	return spent;
}

SsdparSpent
ssdpar_link_scan(const SsdparLink *link, double bytes, double rows)
{
	SsdparSpent spent = {.there = rows * ROW_COST * link->cost_unit_seconds};

	if (link->device_bytes_per_second > 0)
		spent.there += bytes / link->device_bytes_per_second;
	return spent;
}

SsdparSpent
ssdpar_link_keys(const SsdparLink *link, double keys)
{
	SsdparSpent spent = {
		.here = keys * KEY_SECONDS,
		.there = keys * (KEY_SECONDS + KEY_BYTES / link->bytes_per_second),
	};

	return spent;
}

SsdparSpent
ssdpar_link_filter(const SsdparLink *link, double bytes)
{
	SsdparSpent spent = {
		.here = bytes * FILTER_BYTE_SECONDS,
		.there = bytes * (FILTER_BYTE_SECONDS +
						  FILTER_BYTE_BYTES / link->bytes_per_second),
	};

	return spent;
}

SsdparSpent
ssdpar_link_tests(double rows)
{
	SsdparSpent spent = {.there = rows * TEST_SECONDS};

	return spent;
}

/*
 * For each place, this server waits for rows and then processes them.
 * Meanwhile it can process rows of other places.  Scans that are not
 * asynchronous come after all others.
 */
double
ssdpar_all_seconds(const SsdparPlaced *tables, int ntables, double *room,
				   int nplaces)
{
	double		slowest = 0;
	double		here = 0;
	double		after = 0;

	for (int i = 0; i < nplaces; i++)
		room[i] = 0;
	for (int i = 0; i < ntables; i++)
	{
		const SsdparPlaced *table = &tables[i];
		double		both = table->spent.here + table->spent.there;

		if (!table->async)
			after += both;
		else
		{
			here += table->spent.here;
			room[table->place] += both;
			slowest = fmax(slowest, room[table->place]);
		}
	}
	return fmax(slowest, here) + after;
}
