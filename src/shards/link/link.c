/*
 * link.c
 *		What rows and keys take on their way between this server and another.
 *
 * Rows come as text, some at a time, each lot asked for when the one before is
 * used up: one latency each.  Keys go once, as the text of an array, with the
 * query.
 *
 * postgres_fdw's own costs of a server (fdw_tuple_cost) are in planner units,
 * which say nothing of how long that is, and by default the same for any
 * server.  So what is supposed of a link is written down here, in seconds, for
 * those that ssdpar.calibrate_server() has not measured.
 *
 * Each server has a device and processors of its own.  A query that reads
 * tables of several at once waits for the slowest; for the coordinator, if that
 * has more to do with the rows of all than any other server has with its own.
 * What is at one address is one machine, and takes turns.
 */
#include <math.h>

#include "shards/link/link.h"

/* Two machines beside each other, and a gigabit a second between them. */
#define LATENCY_SECONDS 200e-6
#define BYTES_PER_SECOND 117e6

/*
 * Computing, at each end, on the reference machine: a row and each of its
 * columns are made into text and sent, or taken and made into values; a key
 * likewise, and put into a hash table there; a byte of a filter is two digits
 * on the way; a row is looked up in either.
 */
#define ROW_SECONDS 0.3e-6
#define COLUMN_SECONDS 0.1e-6
#define KEY_SECONDS 0.1e-6
#define FILTER_BYTE_SECONDS 2e-9
#define TEST_SECONDS 30e-9

/* As text: a column beside its value, a key of seven digits and a comma. */
#define COLUMN_BYTES 4.0
#define KEY_BYTES 8.0
#define FILTER_BYTE_BYTES 2.0

/* Of reading a row, in planner cost: the server's default. */
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
 * At a place, this server waits for rows and then takes them; meanwhile it may
 * take those of other places.  What is not asynchronous comes after all that.
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
