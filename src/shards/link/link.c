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
 */
#include <math.h>

#include "shards/link/link.h"

/* Two machines beside each other, and a gigabit a second between them. */
#define LATENCY_SECONDS 200e-6
#define BYTES_PER_SECOND 117e6

/*
 * Computing, at both ends together, between two servers on the reference
 * machine: a row and each of its columns are made into text, sent, taken and
 * made into values; a key likewise, and put into a hash table there; a row is
 * looked up in it.
 */
#define ROW_SECONDS 0.6e-6
#define COLUMN_SECONDS 0.2e-6
#define KEY_SECONDS 0.2e-6
#define TEST_SECONDS 30e-9

/* As text: a column beside its value, a key of seven digits and a comma. */
#define COLUMN_BYTES 4.0
#define KEY_BYTES 8.0

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

double
ssdpar_link_rows_seconds(const SsdparLink *link, double rows, double width,
						 int columns)
{
	double		bytes = rows * (width + columns * COLUMN_BYTES);

	return rows * (ROW_SECONDS + columns * COLUMN_SECONDS) +
		bytes / link->bytes_per_second +
		ceil(rows / link->rows_per_fetch) * link->latency_seconds;
}

double
ssdpar_link_keys_seconds(const SsdparLink *link, double keys)
{
	return keys * (KEY_SECONDS + KEY_BYTES / link->bytes_per_second);
}

double
ssdpar_link_tests_seconds(double rows)
{
	return rows * TEST_SECONDS;
}
