/*
 * ssdsim_spec.c
 *		Reads the description of a device, and refuses impossible ones.
 */
#include "ssdsim_spec.h"

#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "ssdsim_number.h"

#define LINE_SIZE 512
#define MAX_PAGES (INT64_C(1) << 31)	/* the top bit of a page number is
										 * used */

typedef enum Kind
{
	COUNT,
	BYTES,
	TIME,
	TIMES,						/* several values, the field is the first */
	PERCENT,
	FLAG,
	MAPPING,
	TEXT,
} Kind;

typedef struct Key
{
	const char *name;
	Kind		kind;
	size_t		field;
	double		least;			/* in the field's unit */
	double		most;
	bool		flash;			/* every flash device must have it */
} Key;

#define FIELD(name) offsetof(SsdsimSpec, name)
#define HOUR 3.6e12

static const Key keys[] = {
	{"about", TEXT, FIELD(about), 0, 0, false},
	{"channels", COUNT, FIELD(channels), 1, 256, true},
	{"packages", COUNT, FIELD(packages), 1, 256, true},
	{"dies", COUNT, FIELD(dies), 1, 64, false},
	{"planes", COUNT, FIELD(planes), 1, 64, false},
	{"blocks", COUNT, FIELD(blocks), 3, 1 << 24, true},
	{"pages", COUNT, FIELD(pages), 2, 32768, true},
	{"page", BYTES, FIELD(page_bytes), 512, 1 << 20, false},
	{"over-provisioning", PERCENT, FIELD(over_provisioning), 0, 1e6, true},
	{"mapping", MAPPING, FIELD(mapping), 0, 0, true},
	{"chunk", COUNT, FIELD(chunk), 1, 1024, false},
	{"hot-cold", FLAG, FIELD(hot_cold), 0, 0, false},
	{"copy-back", FLAG, FIELD(copy_back), 0, 0, false},
	{"multi-plane", FLAG, FIELD(multi_plane), 0, 0, false},
	{"interleave", FLAG, FIELD(interleave), 0, 0, false},
	{"gc-low", COUNT, FIELD(gc_low), 1, 1 << 24, false},
	{"gc-high", COUNT, FIELD(gc_high), 1, 1 << 24, false},
	{"queue", COUNT, FIELD(queue), 1, 1 << 20, true},
	{"write-buffer", COUNT, FIELD(write_buffer), 0, 1 << 24, false},
	{"readahead", COUNT, FIELD(readahead), 0, 1024, false},
	{"readahead-streams", COUNT, FIELD(readahead_streams), 1, 64, false},
	{"deadline", TIME, FIELD(deadline), 0, HOUR, false},
	{"devices", COUNT, FIELD(devices), 1, 64, false},
	{"stripe", BYTES, FIELD(stripe), 512, 1 << 30, false},
	{"stripe-cut", FLAG, FIELD(stripe_cut), 0, 0, false},
	{"host", TIME, FIELD(host), 0, HOUR, false},
	{"read-command", TIME, FIELD(read_command), 0, HOUR, false},
	{"write-command", TIME, FIELD(write_command), 0, HOUR, false},
	{"read-setup", TIME, FIELD(read_setup), 0, HOUR, false},
	{"write-setup", TIME, FIELD(write_setup), 0, HOUR, false},
	{"turn-to-write", TIME, FIELD(turn_to_write), 0, HOUR, false},
	{"turn-to-read", TIME, FIELD(turn_to_read), 0, HOUR, false},
	{"flash-command", TIME, FIELD(flash_command), 0, HOUR, false},
	{"flash-read", TIME, FIELD(flash_read), 0, HOUR, true},
	{"flash-program", TIMES, FIELD(flash_program), 0, HOUR, true},
	{"flash-erase", TIME, FIELD(flash_erase), 0, HOUR, true},
	{"channel-transfer", TIME, FIELD(channel_transfer), 0, HOUR, true},
	{"bus-transfer", TIME, FIELD(bus_transfer), 0, HOUR, true},
	{"mechanical", FLAG, FIELD(mechanical), 0, 0, false},
	{"capacity", BYTES, FIELD(capacity), 1 << 20, 1e15, false},
	{"seek-least", TIME, FIELD(seek_least), 0, HOUR, false},
	{"seek-most", TIME, FIELD(seek_most), 0, HOUR, false},
	{"rotation", TIME, FIELD(rotation), 0, HOUR, false},
	{"media-transfer", TIME, FIELD(media_transfer), 0, HOUR, false},
};

#define NKEYS ((int) (sizeof(keys) / sizeof(keys[0])))

/* The position in a description. */
typedef struct Reading
{
	const char *filename;
	int			line;
	SsdsimSpec *spec;
	SsdsimError *error;
	bool		seen[NKEYS];
} Reading;

static const struct
{
	const char *name;
	Kind		kind;
	double		factor;
}			units[] = {
	{"ns", TIME, 1}, {"us", TIME, 1e3}, {"ms", TIME, 1e6},
	{"s", TIME, 1e9},
	{"B", BYTES, 1}, {"kB", BYTES, 1024}, {"MB", BYTES, 1 << 20},
	{"GB", BYTES, 1 << 30},
	{"%", PERCENT, 100},
};

/* The factor of a unit; 0 if values of that kind do not have it. */
static double
unit_factor(Kind kind, const char *unit)
{
	if (kind == TIMES)
		kind = TIME;
	for (size_t i = 0; unit != NULL && i < sizeof(units) / sizeof(*units);
		 i++)
		if (units[i].kind == kind && strcmp(units[i].name, unit) == 0)
			return units[i].factor;
	return kind == COUNT && unit == NULL ? 1 : 0;
}

static const char *
unit_names(Kind kind)
{
	switch (kind)
	{
		case BYTES:
			return "a number and B, kB, MB or GB";
		case TIME:
			return "a number and ns, us, ms or s";
		case TIMES:
			return "up to 8 numbers and ns, us, ms or s";
		case PERCENT:
			return "a number and %";
		case FLAG:
			return "yes or no";
		case MAPPING:
			return "static or order";
		default:
			return "a whole number";
	}
}

static bool
not_understood(const Reading *reading, const Key *key)
{
	return ssdsim_fail(reading->error, "%s, line %d: %s takes %s.",
					   reading->filename, reading->line, key->name,
					   unit_names(key->kind));
}

static bool
store_number(const Reading *reading, const Key *key, const char *text,
			 double factor, int64_t *field)
{
	double		value;

	if (!ssdsim_parse_number(text, &value) ||
		(key->kind == COUNT && value != floor(value)))
		return not_understood(reading, key);
	value *= factor;
	if (value < key->least || value > key->most)
		return ssdsim_fail(reading->error, "%s, line %d: %s \"%.40s\" is out of range: %.15g to %.15g %s.",
						   reading->filename, reading->line, key->name, text,
						   key->least / (factor > 0 ? factor : 1),
						   key->most / (factor > 0 ? factor : 1),
						   key->kind == COUNT ? "is possible" :
						   "of that unit is possible");
	*field = (int64_t) (value + 0.5);
	return true;
}

/* Numbers followed by one unit. */
static bool
store_numbers(const Reading *reading, const Key *key, char **words,
			  int nwords, int64_t *field)
{
	bool		counted = key->kind == COUNT;
	int			numbers = counted ? nwords : nwords - 1;
	int			room = key->kind == TIMES ? SSDSIM_PROGRAM_TIMES : 1;
	double		factor;

	if (numbers < 1 || numbers > room)
		return not_understood(reading, key);
	factor = unit_factor(key->kind, counted ? NULL : words[nwords - 1]);
	if (factor == 0)
		return not_understood(reading, key);
	for (int i = 0; i < numbers; i++)
		if (!store_number(reading, key, words[i], factor, field + i))
			return false;
	if (key->kind == TIMES)
		reading->spec->program_times = numbers;
	return true;
}

/* One of two words: the first is 0, the second 1. */
static bool
store_word(const Reading *reading, const Key *key, char **words, int nwords,
		   int64_t *field)
{
	bool		flag = key->kind == FLAG;

	for (int i = 0; nwords == 1 && i < 2; i++)
	{
		static const char *const choices[2][2] = {
			{"static", "order"}, {"no", "yes"}
		};

		if (strcmp(words[0], choices[flag][i]) == 0)
		{
			*field = i;
			return true;
		}
	}
	return not_understood(reading, key);
}

static void
store_text(char *field, char **words, int nwords)
{
	size_t		length = 0;

	field[0] = '\0';
	for (int i = 0; i < nwords && length < SSDSIM_ABOUT_SIZE; i++)
		length += (size_t) snprintf(field + length,
									SSDSIM_ABOUT_SIZE - length, "%s%s",
									i > 0 ? " " : "", words[i]);
}

static bool
store(Reading *reading, char **words, int nwords)
{
	for (int i = 0; i < NKEYS; i++)
	{
		const Key  *key = &keys[i];
		char	   *field = (char *) reading->spec + key->field;

		if (strcmp(key->name, words[0]) != 0)
			continue;
		if (reading->seen[i])
			return ssdsim_fail(reading->error, "%s, line %d: %s stands there twice.",
							   reading->filename, reading->line, key->name);
		reading->seen[i] = true;
		if (key->kind == FLAG || key->kind == MAPPING)
			return store_word(reading, key, words + 1, nwords - 1,
							  (int64_t *) field);
		if (key->kind != TEXT)
			return store_numbers(reading, key, words + 1, nwords - 1,
								 (int64_t *) field);
		store_text(field, words + 1, nwords - 1);
		return true;
	}
	return ssdsim_fail(reading->error, "%s, line %d: \"%.40s\" is nothing that a device has.",
					   reading->filename, reading->line, words[0]);
}

#define MAX_WORDS 64

static bool
understand_line(Reading *reading, char *line)
{
	char	   *words[MAX_WORDS];
	int			nwords = 0;
	char	   *rest;

	line[strcspn(line, "#\n")] = '\0';
	for (char *word = strtok_r(line, " \t\r", &rest);
		 word != NULL && nwords < MAX_WORDS;
		 word = strtok_r(NULL, " \t\r", &rest))
		words[nwords++] = word;
	return nwords == 0 || store(reading, words, nwords);
}

int64_t
ssdsim_spec_dies(const SsdsimSpec *spec)
{
	return spec->channels * spec->packages * spec->dies;
}

int64_t
ssdsim_spec_planes(const SsdsimSpec *spec)
{
	return ssdsim_spec_dies(spec) * spec->planes;
}

int64_t
ssdsim_spec_user_pages(const SsdsimSpec *spec)
{
	double		physical = (double) ssdsim_spec_planes(spec) *
		(double) spec->blocks * (double) spec->pages;

	return (int64_t) (physical / (1 + (double) spec->over_provisioning / 1e4));
}

uint64_t
ssdsim_spec_capacity(const SsdsimSpec *spec)
{
	uint64_t	one = spec->mechanical ? (uint64_t) spec->capacity :
		(uint64_t) ssdsim_spec_user_pages(spec) * (uint64_t) spec->page_bytes;

	/* only whole chunks can be distributed */
	if (spec->devices > 1)
		one -= one % (uint64_t) spec->stripe;
	return one * (uint64_t) spec->devices;
}

uint64_t
ssdsim_spec_fold(const SsdsimSpec *spec, uint64_t address, uint64_t bytes)
{
	uint64_t	capacity = ssdsim_spec_capacity(spec);
	uint64_t	page = (uint64_t) spec->page_bytes;

	address %= capacity;
	if (address <= capacity - bytes)
		return address;
	return (capacity - bytes) / page * page;
}

static bool
check_disk(const SsdsimSpec *spec, const char *filename, SsdsimError *error)
{
	if (spec->capacity == 0 || spec->media_transfer == 0 || spec->queue == 0)
		return ssdsim_fail(error, "%s: a mechanical device needs capacity, media-transfer and queue.",
						   filename);
	if (spec->seek_most < spec->seek_least)
		return ssdsim_fail(error, "%s: seek-most is less than seek-least.",
						   filename);
	return true;
}

/*
 * A plane keeps the free blocks for which it collects, and its open blocks.
 * The host's capacity must fit into the others, because otherwise the last
 * page could be written only once, and an idle die would collect forever.
 */
static bool
check_flash(const SsdsimSpec *spec, const char *filename, SsdsimError *error)
{
	int64_t		planes = ssdsim_spec_planes(spec);
	double		physical = (double) planes * (double) spec->blocks *
		(double) spec->pages;
	int64_t		held = spec->gc_high + 1 + spec->hot_cold;
	int64_t		row = planes * spec->chunk;
	int64_t		user;
	int64_t		fullest;

	if (physical >= (double) MAX_PAGES)
		return ssdsim_fail(error, "%s: %.0f pages are more than the %.0f that can be simulated.",
						   filename, physical, (double) MAX_PAGES - 1);
	user = ssdsim_spec_user_pages(spec);
	/* on such a device, a loop limited by time would never end */
	if (spec->host + spec->bus_transfer == 0 &&
		(spec->read_command == 0 || spec->write_command == 0))
		return ssdsim_fail(error, "%s: requests would take no time. Give host, bus-transfer or both commands more than 0.",
						   filename);
	if (spec->page_bytes % 512 != 0)
		return ssdsim_fail(error, "%s: a page is a multiple of 512 bytes.",
						   filename);
	if (spec->gc_high < spec->gc_low)
		return ssdsim_fail(error, "%s: gc-high is less than gc-low.",
						   filename);
	if (spec->gc_high >= spec->blocks)
		return ssdsim_fail(error, "%s: gc-high is not below the %lld blocks of a plane.",
						   filename, (long long) spec->blocks);
	fullest = (user + row - 1) / row * spec->chunk;
	if (user < 1 || spec->blocks <= held ||
		fullest > (spec->blocks - held) * spec->pages)
		return ssdsim_fail(error, "%s: no free blocks: of %lld blocks in each plane collecting keeps %lld, and the host's pages do not fit into the others. Raise over-provisioning or blocks.",
						   filename, (long long) spec->blocks,
						   (long long) held);
	return true;
}

static bool
check(const SsdsimSpec *spec, const char *filename, SsdsimError *error)
{
	if (!(spec->mechanical ? check_disk : check_flash) (spec, filename,
														error))
		return false;
	if (spec->stripe % spec->page_bytes != 0)
		return ssdsim_fail(error, "%s: stripe is not a multiple of a page.",
						   filename);
	if (ssdsim_spec_capacity(spec) == 0)
		return ssdsim_fail(error, "%s: a device is smaller than stripe.",
						   filename);
	return true;
}

/* Default values. */
static const SsdsimSpec defaults = {
	.dies = 1, .planes = 1, .page_bytes = 4096, .gc_low = 1, .gc_high = 1,
	.chunk = 1, .interleave = 1, .readahead_streams = 1, .devices = 1,
	.stripe = 64 * 1024,
};

/*
 * The length of the next line, of which line gets as much as fits; 0 at the
 * end.
 */
static size_t
read_line(FILE *file, char *line)
{
	size_t		length = 0;
	int			byte = 0;

	while (length < LINE_SIZE - 1 && byte != '\n' &&
		   (byte = getc(file)) != EOF)
		line[length++] = (char) byte;
	line[length] = '\0';
	return length;
}

bool
ssdsim_spec_read(FILE *file, const char *filename, SsdsimSpec *spec,
				 SsdsimError *error)
{
	Reading		reading = {.filename = filename, .spec = spec, .error = error};
	char		line[LINE_SIZE];
	size_t		length;

	*spec = defaults;
	while ((length = read_line(file, line)) > 0)
	{
		reading.line++;
		if (length == LINE_SIZE - 1)
			return ssdsim_fail(error, "%s, line %d: longer than %d characters.",
							   filename, reading.line, LINE_SIZE - 2);
		if (strlen(line) < length)
			return ssdsim_fail(error, "%s, line %d: a byte of zero. A description is text.",
							   filename, reading.line);
		if (!understand_line(&reading, line))
			return false;
	}
	if (ferror(file))
		return ssdsim_fail(error, "%s cannot be read: %s.", filename,
						   strerror(errno));
	for (int i = 0; i < NKEYS; i++)
		if (keys[i].flash && !reading.seen[i] && !spec->mechanical)
			return ssdsim_fail(error, "%s does not say %s: %s.", filename,
							   keys[i].name, unit_names(keys[i].kind));
	return check(spec, filename, error);
}

bool
ssdsim_spec_load(const char *path, const char *folder, SsdsimSpec *spec,
				 SsdsimError *error)
{
	char		shipped[4096];
	FILE	   *file;
	struct stat status;
	bool		good;

	snprintf(shipped, sizeof(shipped), "%s/%s.ssd", folder, path);
	if (strchr(path, '/') == NULL && (file = fopen(shipped, "re")) != NULL)
		path = shipped;
	else if (stat(path, &status) == 0 && !S_ISREG(status.st_mode))
		return ssdsim_fail(error, "device %.200s: not a regular file. Give a description's file, or one of the devices that --list shows.",
						   path);
	else
		file = fopen(path, "re");
	if (file == NULL)
		return ssdsim_fail(error, "device %.200s: %s. Give a file, or one of the devices that --list shows.",
						   path, strerror(errno));
	good = ssdsim_spec_read(file, path, spec, error);
	fclose(file);
	return good;
}

bool
ssdsim_spec_set(SsdsimSpec *spec, const char *line, SsdsimError *error)
{
	Reading		reading = {"--set", 1, spec, error, {false}};
	char		copy[LINE_SIZE];

	if (snprintf(copy, sizeof(copy), "%s", line) >= LINE_SIZE)
		return ssdsim_fail(error, "--set: longer than %d characters.",
						   LINE_SIZE - 1);
	if (line[strspn(line, " \t\r")] == '\0')
		return ssdsim_fail(error, "--set: nothing is set. Give a name and a value.");
	if (strchr(line, '\n') != NULL)
		return ssdsim_fail(error, "--set: more than one line. Give each a --set of its own.");
	return understand_line(&reading, copy) && check(spec, "--set", error);
}

bool
ssdsim_changes_add(SsdsimChanges *changes, const char *line,
				   SsdsimError *error)
{
	if (changes->count == SSDSIM_CHANGES_MAX)
		return ssdsim_fail(error, "--set: %d at most; write a file.",
						   SSDSIM_CHANGES_MAX);
	changes->lines[changes->count++] = line;
	return true;
}

bool
ssdsim_spec_find(const char *path, const char *folder,
				 const SsdsimChanges *changes, SsdsimSpec *spec,
				 SsdsimError *error)
{
	if (!ssdsim_spec_load(path, folder, spec, error))
		return false;
	for (int i = 0; i < changes->count; i++)
		if (!ssdsim_spec_set(spec, changes->lines[i], error))
			return false;
	return true;
}
