/*
 * explain_busy.c
 *		Shows in EXPLAIN what was busy.
 *
 * If the kernel shows no disk, the device is omitted.
 */
#include "postgres.h"

#include "base/compat.h"
#include "device/explain_busy.h"

static void
explain_part(const char *label, double seconds, ExplainState *es)
{
	ExplainPropertyFloat(label, "ms", seconds * 1000.0, 3, es);
}

static void
explain_group(const char *label, const SsdparBusy *busy, ExplainState *es)
{
	ExplainOpenGroup(label, label, true, es);
	explain_part("Processor", busy->processor, es);
	if (busy->blind)
		explain_part("Waiting", busy->waited, es);
	else
	{
		explain_part("Device", busy->device, es);
		explain_part("Both", busy->both, es);
		explain_part("Neither", busy->neither, es);
	}
	ExplainCloseGroup(label, label, true, es);
}

void
ssdpar_explain_busy(const char *label, const SsdparBusy *busy,
					ExplainState *es)
{
	double		processor = busy->processor * 1000.0;
	char	   *text;

	if (busy->processor + busy->device + busy->both + busy->neither +
		busy->waited <= 0.0)
		return;
	if (es->format != EXPLAIN_FORMAT_TEXT)
	{
		explain_group(label, busy, es);
		return;
	}
	if (busy->blind)
		text = psprintf("processor=%.3f waiting=%.3f ms", processor,
						busy->waited * 1000.0);
	else
		text = psprintf("processor=%.3f device=%.3f both=%.3f neither=%.3f ms",
						processor, busy->device * 1000.0, busy->both * 1000.0,
						busy->neither * 1000.0);
	ExplainPropertyText(label, text, es);
}
