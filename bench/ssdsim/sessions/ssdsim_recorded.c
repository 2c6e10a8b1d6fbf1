/*
 * ssdsim_recorded.c
 *		Recorded times, and regressions.
 *
 * The times are virtual and exact, so any difference is a change of the
 * scheduler or of the model.  Improvements are reported too, because they
 * should be recorded.
 */
#include "ssdsim_recorded.h"

#include <string.h>

#include "bench/ssdsim/ssdsim_number.h"

#define HEAD "device,mode,target,co_runner,microseconds"
#define ALONE "alone"
#define PLAIN "plain"
#define DAEMON "daemon"

typedef struct Line
{
	char		device[32];
	char		mode[16];
	char		target[16];
	char		beside[16];
	double		microseconds;
} Line;

void
ssdsim_recorded_head(FILE *file)
{
	fprintf(file, "%s\n", HEAD);
}

void
ssdsim_recorded_line(FILE *file, const char *device, const SsdsimPair *pair,
					 int64_t time)
{
	fprintf(file, "%s,%s,%s,%s,%.3f\n", device,
			pair->rules == NULL ? PLAIN : DAEMON, pair->target->name,
			pair->beside == NULL ? ALONE : pair->beside->name,
			(double) time / 1e3);
}

static bool
parse(const char *text, Line *line)
{
	char		time[32];

	return sscanf(text, "%31[^,],%15[^,],%15[^,],%15[^,],%31[^\n]",
				  line->device, line->mode, line->target, line->beside,
				  time) == 5 &&
		ssdsim_parse_number(time, &line->microseconds) &&
		line->microseconds > 0;
}

static bool
pair_of(const Line *line, const SsdpardRules *rules, SsdsimPair *pair)
{
	pair->target = ssdsim_work_find(line->target);
	pair->beside = ssdsim_work_find(line->beside);
	pair->rules = strcmp(line->mode, PLAIN) == 0 ? NULL : rules;
	return pair->target != NULL &&
		(pair->beside != NULL || strcmp(line->beside, ALONE) == 0) &&
		(pair->rules == NULL || strcmp(line->mode, DAEMON) == 0);
}

/* Reports how a pair differs; true if it is worse. */
static bool
judge(const Line *line, int64_t time, FILE *report)
{
	double		change = (double) time / 1e3 / line->microseconds - 1;

	if (change >= -SSDSIM_WORSE && change <= SSDSIM_WORSE)
		return false;
	fprintf(report, "%s: %s, %s beside %s, %s: recorded %.3f us, now %.3f, %+.1f %%\n",
			change > 0 ? "worse" : "better: record it", line->device,
			line->target, line->beside, line->mode, line->microseconds,
			(double) time / 1e3, 100 * change);
	return change > 0;
}

int
ssdsim_recorded_compare(FILE *recorded, const char *filename,
						const char *folder, const SsdpardRules *rules,
						FILE *report, SsdsimError *error)
{
	char		text[256];
	char		device[32] = "";
	SsdsimSpec	spec;
	SsdsimPair	pair = {0};
	int			number = 0;
	int			compared = 0;
	int			worse = 0;

	while (fgets(text, sizeof(text), recorded) != NULL)
	{
		Line		line;

		text[strcspn(text, "\n")] = '\0';
		if (number++ == 0 && strcmp(text, HEAD) == 0)
			continue;
		if (!parse(text, &line) || !pair_of(&line, rules, &pair))
		{
			ssdsim_fail(error, "%s, line %d: not understood.", filename,
						number);
			return -1;
		}
		if (strcmp(device, line.device) != 0)
		{
			if (!ssdsim_pair_device(line.device, folder, &spec, error))
				return -1;
			pair.depth = ssdsim_saturation_depth(&spec);
			strcpy(device, line.device);
		}
		compared++;
		worse += judge(&line, ssdsim_pair_run(&spec, &pair).time, report);
	}
	if (compared == 0)
	{
		ssdsim_fail(error, "%s: there is nothing recorded.", filename);
		return -1;
	}
	return worse;
}
