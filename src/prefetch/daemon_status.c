/*
 * daemon_status.c
 *		ssdpar.daemon_status(): asks ssdpard for its status.
 *
 * It uses a separate connection, since the session's connection is never read.
 * This is the only place that waits for the daemon, for at most 200 ms,
 * because the caller wants the answer.
 */
#include "postgres.h"

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "access/htup_details.h"
#include "catalog/pg_type.h"
#include "fmgr.h"
#include "funcapi.h"
#include "miscadmin.h"
#include "portability/instr_time.h"
#include "utils/builtins.h"

#include "base/compat.h"
#include "base/declared_row.h"
#include "prefetch/client.h"
#include "prefetch/daemon_socket.h"
#include "base/settings.h"

#define PATIENCE_MS 200
#define COLUMNS 21

static const Oid column_types[COLUMNS] = {
	INT4OID, TEXTOID, INT4OID, INT4OID, INT4OID, INT4OID, INT4OID, INT4OID,
	FLOAT8OID, FLOAT8OID, FLOAT8OID,
	INT8OID, INT8OID, INT8OID, INT8OID, INT8OID, INT8OID, INT8OID, INT8OID,
	TEXTOID, TEXTOID,
};

PG_FUNCTION_INFO_V1(ssdpar_sql_daemon_status);

/*
 * Uses poll() instead of a latch: the wait is too short to be canceled, and a
 * signal only makes it continue with the remaining time.
 */
static bool
wait_for_packet(int fd)
{
	struct pollfd waiting = {.fd = fd, .events = POLLIN};
	instr_time	start;
	instr_time	now;
	int			left = PATIENCE_MS;

	INSTR_TIME_SET_CURRENT(start);
	do
	{
		int			ready = poll(&waiting, 1, left);

		if (ready > 0)
			return true;
		if (ready < 0 && errno != EINTR)
			return false;
		INSTR_TIME_SET_CURRENT(now);
		INSTR_TIME_SUBTRACT(now, start);
		left = PATIENCE_MS - (int) INSTR_TIME_GET_MILLISEC(now);
	} while (left > 0);
	return false;
}

/*
 * Returns NULL and the answer, or the reason why there is none.  While the
 * caller holds the descriptor, no error is raised here except out of memory,
 * in which case it is closed with the process.  Therefore reasons are strings,
 * not reports.
 */
static const char *
converse(int fd, SsdparWireMessage *answer)
{
	static uint32 wait_event = 0;
	unsigned char packet[SSDPAR_WIRE_MAX_MESSAGE];
	SsdparWireMessage question = {.type = SSDPAR_WIRE_STATUS_REQUEST,
	.sequence = 1};
	size_t		size = ssdpar_wire_encode(&question, packet);
	ssize_t		length;
	SsdparWireRefusal refusal;
	bool		answered;

	if (send(fd, packet, size, MSG_DONTWAIT | MSG_NOSIGNAL) < 0)
		return psprintf("could not ask: %m");
	pgstat_report_wait_start(ssdpar_wait_event(&wait_event,
											   "SsdparDaemonStatus"));
	answered = wait_for_packet(fd);
	pgstat_report_wait_end();
	if (!answered)
		return psprintf("no answer within %d ms", PATIENCE_MS);
	length = recv(fd, packet, sizeof(packet), MSG_DONTWAIT);
	if (length < 0)
		return psprintf("could not receive an answer: %m");
	if (length == 0)
		return "the daemon closed the connection";
	refusal = ssdpar_wire_decode(packet, length, answer);
	if (refusal != SSDPAR_WIRE_OK)
		return psprintf("the answer is not understood: %s",
						ssdpar_wire_refusal_text(refusal));
	if (answer->type == SSDPAR_WIRE_ERROR)
		return psprintf("refused: %s", answer->u.error.text);
	if (answer->type != SSDPAR_WIRE_STATUS)
		return "the answer is no status";
	return NULL;
}

/*
 * Columns in the order of the extension's script.  64-bit counters are shown
 * as bigint, whose limit they never reach.
 */
static void
fill_row(Datum *values, const SsdparWireStatus *status)
{
	int			column = 0;

	values[column++] = Int32GetDatum((int32) status->pid);
	values[column++] =
		CStringGetTextDatum(status->method == SSDPAR_WIRE_METHOD_RING ?
							"io_uring" : "threads");
	values[column++] = Int32GetDatum((int32) status->depth);
	values[column++] = Int32GetDatum((int32) status->outstanding);
	values[column++] = Int32GetDatum((int32) status->queued);
	values[column++] = Int32GetDatum((int32) status->sessions);
	values[column++] = Int32GetDatum((int32) status->files);
	values[column++] = Int32GetDatum((int32) status->restarts);
	values[column++] = Float8GetDatum(status->latency_p50_us);
	values[column++] = Float8GetDatum(status->latency_p99_us);
	values[column++] = Float8GetDatum(status->uptime_ms / 1000.0);
	values[column++] = Int64GetDatum((int64) status->served);
	values[column++] = Int64GetDatum((int64) status->cached);
	values[column++] = Int64GetDatum((int64) status->stale);
	values[column++] = Int64GetDatum((int64) status->dropped);
	values[column++] = Int64GetDatum((int64) status->bytes_read);
	values[column++] = Int64GetDatum((int64) status->errors);
	values[column++] = Int64GetDatum((int64) status->short_reads);
	values[column++] = Int64GetDatum((int64) status->refused);
	values[column++] = CStringGetTextDatum(ssdpar_daemon_socket);
	Assert(column == COLUMNS - 1);
}

/* daemon_status() returns one row: either all columns or only problem. */
Datum
ssdpar_sql_daemon_status(PG_FUNCTION_ARGS)
{
	SsdparWireMessage answer;
	const char *problem;
	TupleDesc	row = ssdpar_declared_row(fcinfo, column_types, COLUMNS);
	Datum		values[COLUMNS] = {0};
	bool		nulls[COLUMNS];
	int			fd;

	fd = ssdpar_open_daemon_socket();
	if (fd < 0)
		problem = psprintf("could not connect to \"%s\": %m",
						   ssdpar_daemon_socket);
	else
	{
		problem = converse(fd, &answer);
		close(fd);
	}
	memset(nulls, problem != NULL, sizeof(nulls));
	nulls[COLUMNS - 1] = problem == NULL;
	if (problem == NULL)
		fill_row(values, &answer.u.status);
	else
		values[COLUMNS - 1] = CStringGetTextDatum(problem);
	PG_RETURN_DATUM(HeapTupleGetDatum(heap_form_tuple(row, values, nulls)));
}
