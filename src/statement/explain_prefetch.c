/*
 * explain_prefetch.c
 *		Shows in EXPLAIN ANALYZE what was prefetched for the statement.
 *
 * It is shown for the statement as a whole, because the daemon counts per
 * session.  The daemon works asynchronously, so a few of the last requests may
 * not be finished when the plan is printed; they are shown as pending.
 */
#include "postgres.h"

#include "prefetch/client.h"
#include "base/settings.h"
#include "statement/explain_prefetch.h"

/*
 * Requests in progress belong to earlier statements.  After settling, they are
 * included in the previous count and are not attributed to this statement.
 */
void
ssdpar_explain_prefetch_start(SsdparTally *before)
{
	ssdpar_client_settle();
	ssdpar_counters_session(before);
}

static bool
was_prefetched(const SsdparTally *used)
{
	return used->value[SSDPAR_COUNT_REQUESTS] > 0 ||
		used->value[SSDPAR_COUNT_FALLBACKS] > 0 ||
		used->value[SSDPAR_COUNT_LOCAL] > 0;
}

static bool
has_yielded(const SsdparTally *used)
{
	return used->value[SSDPAR_COUNT_YIELDS] > 0 ||
		used->value[SSDPAR_COUNT_YIELDED_US] > 0;
}

bool
ssdpar_explain_prefetch_wanted(ExplainState *es, const SsdparTally *before,
							   SsdparTally *used)
{
	if (!es->analyze || !ssdpar_enabled)
		return false;
	ssdpar_client_settle();
	ssdpar_counters_session(used);
	for (int i = 0; i < SSDPAR_COUNTERS; i++)
		/* the session's counts may have been reset in between */
		used->value[i] -= Min(used->value[i], before->value[i]);
	return was_prefetched(used) || has_yielded(used);
}

static uint64
pending(const SsdparTally *used)
{
	uint64		done = used->value[SSDPAR_COUNT_SERVED] +
		used->value[SSDPAR_COUNT_CACHED] +
		used->value[SSDPAR_COUNT_STALE] +
		used->value[SSDPAR_COUNT_DROPPED];
	uint64		asked = used->value[SSDPAR_COUNT_REQUESTS];

	return asked > done ? asked - done : 0;
}

/* The method actually used, independent of the setting. */
static const char *
method_used(const SsdparTally *used)
{
	if (used->value[SSDPAR_COUNT_REQUESTS] > 0)
		return "daemon";
	if (used->value[SSDPAR_COUNT_LOCAL] > 0)
		return "local";
	return "none (no daemon)";
}

static void
append_count(StringInfo line, const char *label, uint64 count)
{
	appendStringInfo(line, " %s=" UINT64_FORMAT, label, count);
}

static void
explain_text(ExplainState *es, const SsdparTally *used)
{
	const uint64 *value = used->value;
	StringInfoData line;

	initStringInfo(&line);
	appendStringInfo(&line, "method=%s", method_used(used));
	if (value[SSDPAR_COUNT_REQUESTS] > 0)
	{
		append_count(&line, "requests", value[SSDPAR_COUNT_REQUESTS]);
		append_count(&line, "served", value[SSDPAR_COUNT_SERVED]);
		append_count(&line, "cached", value[SSDPAR_COUNT_CACHED]);
		append_count(&line, "stale", value[SSDPAR_COUNT_STALE]);
		append_count(&line, "dropped", value[SSDPAR_COUNT_DROPPED]);
		append_count(&line, "pending", pending(used));
		append_count(&line, "bytes", value[SSDPAR_COUNT_BYTES]);
	}
	if (value[SSDPAR_COUNT_WASTED] > 0)
		append_count(&line, "wasted", value[SSDPAR_COUNT_WASTED]);
	if (value[SSDPAR_COUNT_LOCAL] > 0)
		append_count(&line, "blocks", value[SSDPAR_COUNT_LOCAL]);
	if (value[SSDPAR_COUNT_FALLBACKS] > 0)
		append_count(&line, "fallbacks", value[SSDPAR_COUNT_FALLBACKS]);
	ExplainPropertyText("ssdpar Prefetch", line.data, es);
	pfree(line.data);
}

static void
explain_yields(ExplainState *es, const SsdparTally *used)
{
	uint64		times = used->value[SSDPAR_COUNT_YIELDS];
	double		ms = used->value[SSDPAR_COUNT_YIELDED_US] / 1000.0;

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		ExplainPropertyText("ssdpar Yielded to Writes",
							psprintf("times=" UINT64_FORMAT " time=%.3f ms",
									 times, ms), es);
		return;
	}
	ExplainPropertyInteger("ssdpar Yields", NULL, times, es);
	ExplainPropertyFloat("ssdpar Yielded Time", "ms", ms, 3, es);
}

static void
explain_prefetched(ExplainState *es, const SsdparTally *used)
{
	static const char *const labels[SSDPAR_PREFETCH_COUNTERS] = {
		[SSDPAR_COUNT_REQUESTS] = "Requests",
		[SSDPAR_COUNT_SERVED] = "Served",
		[SSDPAR_COUNT_CACHED] = "Cached",
		[SSDPAR_COUNT_STALE] = "Stale",
		[SSDPAR_COUNT_DROPPED] = "Dropped",
		[SSDPAR_COUNT_WASTED] = "Wasted",
		[SSDPAR_COUNT_BYTES] = "Bytes",
		[SSDPAR_COUNT_FALLBACKS] = "Fallbacks",
		[SSDPAR_COUNT_LOCAL] = "Local Blocks",
	};

	if (es->format == EXPLAIN_FORMAT_TEXT)
	{
		explain_text(es, used);
		return;
	}
	ExplainOpenGroup("ssdpar Prefetch", "ssdpar Prefetch", true, es);
	ExplainPropertyText("Method", method_used(used), es);
	for (int i = 0; i < SSDPAR_PREFETCH_COUNTERS; i++)
		ExplainPropertyInteger(labels[i], NULL, used->value[i], es);
	ExplainPropertyInteger("Pending", NULL, pending(used), es);
	ExplainCloseGroup("ssdpar Prefetch", "ssdpar Prefetch", true, es);
}

void
ssdpar_explain_prefetch(ExplainState *es, const SsdparTally *used)
{
	if (was_prefetched(used))
		explain_prefetched(es, used);
	if (has_yielded(used))
		explain_yields(es, used);
}
