/*
 * ssdemu_faults.c
 *		Random faults, and the commands that set them.
 */
#include "ssdemu_faults.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ssdsim/ssdsim_number.h"
#include "bench/ssdsim/ssdsim_random.h"

#define MAX_WORDS 4
#define MAX_SPIKE_US 60e6		/* a minute: longer looks like a dead device */

void
ssdemu_faults_init(SsdemuFaults *faults, uint64_t seed)
{
	memset(faults, 0, sizeof(*faults));
	faults->random = ~seed;
}

static bool
parse_number(const char *word, double most, double *value)
{
	return ssdsim_parse_number(word, value) && *value >= 0 && *value <= most;
}

/* Sets the faults that the words request; false if they are invalid. */
static bool
apply_words(SsdemuFaults *faults, char **words, int count)
{
	double		time;

	if (count == 1 && strcmp(words[0], "reset") == 0)
	{
		faults->eio[SSDSIM_READ] = faults->eio[SSDSIM_WRITE] = 0;
		faults->spike = 0;
		faults->read_only = false;
		return true;
	}
	if (count == 3 && strcmp(words[0], "eio") == 0 &&
		strcmp(words[1], "read") == 0)
		return parse_number(words[2], 1, &faults->eio[SSDSIM_READ]);
	if (count == 3 && strcmp(words[0], "eio") == 0 &&
		strcmp(words[1], "write") == 0)
		return parse_number(words[2], 1, &faults->eio[SSDSIM_WRITE]);
	if (count == 3 && strcmp(words[0], "spike") == 0 &&
		parse_number(words[2], MAX_SPIKE_US, &time))
	{
		faults->spike_time = llround(time * 1000);
		return parse_number(words[1], 1, &faults->spike);
	}
	if (count == 2 && strcmp(words[0], "read-only") == 0)
	{
		faults->read_only = strcmp(words[1], "on") == 0;
		return faults->read_only || strcmp(words[1], "off") == 0;
	}
	return false;
}

static bool
misunderstood(const char *line, SsdsimError *error)
{
	return ssdsim_fail(error, "not understood, and nothing was changed: "
					   "\"%.100s\". Commands: eio read|write PROBABILITY; "
					   "spike PROBABILITY MICROSECONDS; read-only on|off; "
					   "reset", line);
}

static bool
apply_line(SsdemuFaults *faults, const char *line, SsdsimError *error)
{
	char		copy[128];
	char	   *words[MAX_WORDS];
	char	   *rest = copy;
	char	   *word;
	int			count = 0;

	/* no command is so long that a truncated one could be valid */
	if (strlen(line) >= sizeof(copy))
		return misunderstood(line, error);
	strcpy(copy, line);
	while (count < MAX_WORDS && (word = strsep(&rest, " \t")) != NULL)
	{
		if (*word != '\0')
			words[count++] = word;
	}
	return count == 0 || apply_words(faults, words, count) ||
		misunderstood(line, error);
}

bool
ssdemu_faults_command(SsdemuFaults *faults, const char *text,
					  SsdsimError *error)
{
	SsdemuFaults wanted = *faults;
	char	   *copy = strdup(text);
	char	   *rest = copy;
	char	   *line;
	bool		good = true;

	if (copy == NULL)
		return ssdsim_fail(error, "out of memory; nothing was changed");
	while (good && (line = strsep(&rest, "\n")) != NULL)
		good = apply_line(&wanted, line, error);
	free(copy);
	if (good)
		*faults = wanted;
	return good;
}

size_t
ssdemu_faults_print(const SsdemuFaults *faults, char *text, size_t size)
{
	int			length = snprintf(text, size,
								  "eio read %g\neio write %g\n"
								  "spike %g %g\nread-only %s\n",
								  faults->eio[SSDSIM_READ],
								  faults->eio[SSDSIM_WRITE],
								  faults->spike,
								  (double) faults->spike_time / 1000,
								  faults->read_only ? "on" : "off");

	if (length < 0)
		return 0;
	return (size_t) length < size ? (size_t) length : size - 1;
}

/* True with this probability. */
static bool
happens(SsdemuFaults *faults, double probability)
{
	if (probability <= 0)
		return false;
	return (double) (ssdsim_random(&faults->random) >> 11) * 0x1p-53 <
		probability;
}

int
ssdemu_faults_errno(SsdemuFaults *faults, SsdsimKind kind)
{
	if (faults->read_only && kind == SSDSIM_WRITE)
		return EROFS;
	return happens(faults, faults->eio[kind]) ? EIO : 0;
}

int64_t
ssdemu_faults_delay(SsdemuFaults *faults)
{
	return happens(faults, faults->spike) ? faults->spike_time : 0;
}
