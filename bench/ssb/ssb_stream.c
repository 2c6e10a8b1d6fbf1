/*
 * ssb_stream.c
 *		Communicates with the server, and turns messages of the server or libpq
 *		into one message on one line.
 */
#include "ssb_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SQL_SIZE 1024

/*
 * libpq reports an error in the middle of a COPY only when the COPY ends, so
 * limit the rows of one COPY, because a full disk should not be noticed an
 * hour later.
 */
#define COPY_ROWS_MAX 65536

/* Timeouts set by the user or the database do not suit a bulk load. */
#define SETUP_SQL \
	"SET statement_timeout = 0;" \
	"SET idle_in_transaction_session_timeout = 0;" \
	"SET lock_timeout = 0;" \
	"SET client_encoding = 'UTF8';" \
	"BEGIN"

/* Messages may have several lines; join them. */
static void
one_line(const char *message, char *line, size_t size)
{
	size_t		used = 0;
	bool		pending = false;

	for (const char *c = message; *c != '\0' && used + 3 < size; c++)
	{
		if (*c == '\n' || *c == '\t' || *c == ' ')
		{
			pending = used > 0;
			continue;
		}
		if (pending)
			line[used++] = ' ';
		pending = false;
		line[used++] = *c;
	}
	line[used] = '\0';
}

/*
 * The server's message with its detail and hint, else the first line of
 * libpq's own, because the rest of that is guesses at the reason.
 */
static void
server_words(const SsbStream *stream, const PGresult *result, char *words,
			 size_t size)
{
	const char *primary =
		PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
	const char *detail = PQresultErrorField(result, PG_DIAG_MESSAGE_DETAIL);
	const char *hint = PQresultErrorField(result, PG_DIAG_MESSAGE_HINT);
	char		joined[1024];

	if (primary == NULL)
	{
		snprintf(joined, sizeof(joined), "%s", PQerrorMessage(stream->conn));
		joined[strcspn(joined, "\n")] = '\0';
	}
	else
		snprintf(joined, sizeof(joined), "%s%s%s%s%s%s", primary,
				 detail != NULL ? " (" : "", detail != NULL ? detail : "",
				 detail != NULL ? ")" : "", hint != NULL ? "; hint: " : "",
				 hint != NULL ? hint : "");
	one_line(joined, words, size);
	if (words[0] == '\0')
		snprintf(words, size, "the connection broke");
}

static bool
server_failed(const SsbStream *stream, const PGresult *result,
			  const char *what, SsbError *error)
{
	char		words[1024];

	server_words(stream, result, words, sizeof(words));
	return ssb_fail(error, "%s: %s", what, words);
}

/* Runs a command; the caller frees the result, which is NULL on failure. */
static PGresult *
run(SsbStream *stream, const char *sql, const char *what, SsbError *error)
{
	PGresult   *result = PQexec(stream->conn, sql);
	ExecStatusType status = PQresultStatus(result);

	if (status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK ||
		status == PGRES_COPY_IN)
		return result;
	server_failed(stream, result, what, error);
	PQclear(result);
	return NULL;
}

/* NOTICEs and WARNINGs would break the progress bar; errors suffice. */
static void
drop_notice(void *arg, const PGresult *result)
{
	(void) arg;
	(void) result;
}

bool
ssb_stream_open(SsbStream *stream, const char *conninfo, SsbError *error)
{
	const char *keywords[] = {"fallback_application_name", "dbname", NULL};
	const char *values[] = {"ssbload", conninfo, NULL};
	PGresult   *result;

	memset(stream, 0, sizeof(*stream));
	stream->conn = PQconnectdbParams(keywords, values, 1);
	if (PQstatus(stream->conn) != CONNECTION_OK)
		return server_failed(stream, NULL, "cannot connect", error);
	PQsetNoticeReceiver(stream->conn, drop_notice, NULL);
	stream->cancel = PQgetCancel(stream->conn);
	result = run(stream, SETUP_SQL, "cannot begin", error);
	PQclear(result);
	return result != NULL;
}

static bool
lock_failed(const PGresult *result, const SsbStream *stream,
			SsbTable table, SsbError *error)
{
	const char *state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
	const char *name = ssb_tables[table].name;
	char		what[64];

	if (state != NULL && strcmp(state, "42P01") == 0)
		return ssb_fail(error, "there is no table \"%s\": create the tables "
						"with schema.sql first", name);
	if (state != NULL && strcmp(state, "55P03") == 0)
		return ssb_fail(error, "table \"%s\" is locked, perhaps by another "
						"load: try again when that has ended", name);
	snprintf(what, sizeof(what), "cannot lock table \"%s\"", name);
	return server_failed(stream, result, what, error);
}

bool
ssb_stream_claim(SsbStream *stream, SsbTable table, SsbError *error)
{
	const char *name = ssb_tables[table].name;
	char		sql[SQL_SIZE];
	PGresult   *result;
	int			nrows;

	snprintf(sql, sizeof(sql),
			 "SET LOCAL lock_timeout = '5s';"
			 "LOCK TABLE %s IN SHARE UPDATE EXCLUSIVE MODE;"
			 "SET LOCAL lock_timeout = 0", name);
	result = PQexec(stream->conn, sql);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		lock_failed(result, stream, table, error);
		PQclear(result);
		return false;
	}
	PQclear(result);
	snprintf(sql, sizeof(sql), "SELECT 1 FROM %s LIMIT 1", name);
	result = run(stream, sql, "cannot look whether a table is empty", error);
	if (result == NULL)
		return false;
	nrows = PQntuples(result);
	PQclear(result);
	if (nrows > 0)
		return ssb_fail(error, "table \"%s\" is not empty: TRUNCATE it first "
						"if its rows may go", name);
	return true;
}

/* COPY with its columns named, so that a table with others is refused. */
static bool
start_copy(SsbStream *stream, SsbTable table, SsbError *error)
{
	const SsbTableInfo *info = &ssb_tables[table];
	char		sql[SQL_SIZE];
	char		what[64];
	size_t		used;
	PGresult   *result;

	used = (size_t) snprintf(sql, sizeof(sql), "COPY %s (", info->name);
	for (int i = 0; i < info->ncolumns; i++)
		used += (size_t) snprintf(sql + used, sizeof(sql) - used, "%s%s",
								  i > 0 ? ", " : "", info->columns[i].name);
	snprintf(sql + used, sizeof(sql) - used, ") FROM STDIN");
	snprintf(what, sizeof(what), "cannot load table \"%s\"", info->name);
	result = run(stream, sql, what, error);
	PQclear(result);
	if (result == NULL)
		return false;
	stream->copying = true;
	stream->table = table;
	stream->sent = 0;
	return true;
}

/* The result of a COPY that was ended by us or by the server. */
static bool
take_result(SsbStream *stream, SsbError *error)
{
	const char *name = ssb_tables[stream->table].name;
	PGresult   *result = PQgetResult(stream->conn);
	char		what[64];
	uint64_t	kept;

	stream->copying = false;
	snprintf(what, sizeof(what), "loading table \"%s\" failed", name);
	if (PQresultStatus(result) != PGRES_COMMAND_OK)
	{
		server_failed(stream, result, what, error);
		PQclear(result);
		return false;
	}
	kept = strtoull(PQcmdTuples(result), NULL, 10);
	PQclear(result);
	while ((result = PQgetResult(stream->conn)) != NULL)
		PQclear(result);
	if (kept != stream->sent)
		return ssb_fail(error, "table \"%s\" took %llu of %llu rows: a "
						"trigger or a rule drops rows, disable it", name,
						(unsigned long long) kept,
						(unsigned long long) stream->sent);
	stream->rows[stream->table] += kept;
	return true;
}

bool
ssb_stream_finish(SsbStream *stream, SsbError *error)
{
	if (!stream->copying)
		return true;
	/* If this fails, the reason comes with the result. */
	PQputCopyEnd(stream->conn, NULL);
	return take_result(stream, error);
}

bool
ssb_stream_put(SsbStream *stream, SsbTable table, const char *text,
			   size_t length, uint64_t rows, SsbError *error)
{
	if (stream->copying &&
		(stream->table != table || stream->sent >= COPY_ROWS_MAX) &&
		!ssb_stream_finish(stream, error))
		return false;
	if (!stream->copying && !start_copy(stream, table, error))
		return false;
	if (PQputCopyData(stream->conn, text, (int) length) != 1)
	{
		/*
		 * Sends can fail before the server's message was read; if there is
		 * one, it is the better message.
		 */
		if (take_result(stream, error))
			ssb_fail(error, "the connection broke while loading table \"%s\"",
					 ssb_tables[table].name);
		return false;
	}
	stream->sent += rows;
	return true;
}

bool
ssb_stream_commit(SsbStream *stream, SsbError *error)
{
	PGresult   *result = run(stream, "COMMIT", "the commit failed", error);
	bool		committed;

	if (result == NULL)
		return false;
	committed = strcmp(PQcmdStatus(result), "COMMIT") == 0;
	PQclear(result);
	if (!committed)
		return ssb_fail(error, "the commit failed: the server rolled back");
	return true;
}

bool
ssb_stream_lost(const SsbStream *stream)
{
	return PQstatus(stream->conn) != CONNECTION_OK;
}

void
ssb_stream_cancel(SsbStream *stream)
{
	char		ignored[256];

	/*
	 * If it fails, the server is gone or done, which the stream will notice.
	 */
	if (stream->cancel != NULL)
		PQcancel(stream->cancel, ignored, sizeof(ignored));
}

/* Discards results until the connection is idle, or stuck in a COPY. */
static void
drain(SsbStream *stream)
{
	PGresult   *result;
	ExecStatusType status = PGRES_EMPTY_QUERY;

	while (status != PGRES_COPY_IN &&
		   (result = PQgetResult(stream->conn)) != NULL)
	{
		status = PQresultStatus(result);
		PQclear(result);
	}
}

void
ssb_stream_close(SsbStream *stream)
{
	if (stream->conn != NULL && PQstatus(stream->conn) == CONNECTION_OK)
	{
		if (stream->copying)
			PQputCopyEnd(stream->conn, "ssbload gave up");
		drain(stream);
		if (PQtransactionStatus(stream->conn) != PQTRANS_IDLE)
			PQclear(PQexec(stream->conn, "ROLLBACK"));
	}
	PQfreeCancel(stream->cancel);
	PQfinish(stream->conn);
	memset(stream, 0, sizeof(*stream));
}

bool
ssb_truncate(const char *conninfo, const bool *tables, SsbError *error)
{
	SsbStream	stream;
	char		sql[SQL_SIZE] = "";
	size_t		used = 0;
	bool		ok = false;

	for (int i = 0; i < SSB_NTABLES; i++)
	{
		if (tables[i])
			used += (size_t) snprintf(sql + used, sizeof(sql) - used, "%s %s",
									  used > 0 ? "," : "TRUNCATE",
									  ssb_tables[i].name);
	}
	if (ssb_stream_open(&stream, conninfo, error))
	{
		PGresult   *result = run(&stream, sql, "TRUNCATE failed", error);

		PQclear(result);
		ok = result != NULL && ssb_stream_commit(&stream, error);
	}
	ssb_stream_close(&stream);
	return ok;
}
