/*
 * fuzz_control.c
 *		Fuzz target for ssdemu's control file (bench/ssdemu): what is written
 *		to it, and what is read back.
 *
 * For any input: no memory outside of it is accessed (it is in a block of
 * exactly its length, under AddressSanitizer); it is accepted according to
 * rules that are implemented independently below, or refused; and the faults
 * are then those requested, or unchanged.
 *
 * FUSE is simulated, and its answers are recorded.  The first byte tells
 * whether the file system has a trace.
 */
#include "fuzz_text.h"

#include <errno.h>
#include <math.h>
#include <string.h>

#include "bench/ssdemu/ssdemu_faults.h"
#include "bench/ssdemu/ssdemu_fs.h"

#define CONTROL 4				/* the file's number */
#define MOST_WRITTEN 8191
#define MOST_LINE 127
#define MOST_MARK 131

const char *const fuzz_name = "fuzz_control";

const char *const fuzz_seeds[] = {
	"eio read 0.25\n", "eio write 1", "spike 0.5 1500\n", "read-only on\n",
	"read-only off", "reset\n", "mark a round\n", "mark\n", "mark",
	"mark a\neio read 1\n",
	"eio read 0\neio write 0.125\nspike 0.1 60000000\nread-only off\n",
	"\n\nreset\n\n", NULL
};

const char *const fuzz_words[] = {
	"eio", "read", "write", "spike", "read-only", "on", "off", "reset",
	"mark", " ", "\t", "\n", "\r\n", "0", "1", "-0", "-1", "0.5", "1e-300",
	"60000000", "60000001", "1e400", "nan", "inf", "0x1p-1", "0x", ".",
	"eio read 0.5", "                                                 ", NULL
};

/* The answers to FUSE. */
typedef struct Answered
{
	int			error;			/* or 0 */
	size_t		written;
	size_t		length;			/* of the text that was read */
	char		text[MOST_WRITTEN + 1];
	int			answers;
} Answered;

static Answered answer;

static SsdemuFs fs;
static SsdemuDevice device;
static unsigned marks;

void *
fuse_req_userdata(fuse_req_t req)
{
	(void) req;
	return &fs;
}

int
fuse_reply_err(fuse_req_t req, int error)
{
	(void) req;
	answer.error = error;
	answer.answers++;
	return 0;
}

int
fuse_reply_write(fuse_req_t req, size_t count)
{
	(void) req;
	answer.written = count;
	answer.answers++;
	return 0;
}

int
fuse_reply_buf(fuse_req_t req, const char *text, size_t size)
{
	(void) req;
	REQUIRE(size <= sizeof(answer.text));
	memcpy(answer.text, text, size);
	answer.length = size;
	answer.answers++;
	return 0;
}

int
fuse_reply_open(fuse_req_t req, const struct fuse_file_info *info)
{
	(void) req;
	(void) info;
	return 0;
}

int
fuse_reply_attr(fuse_req_t req, const struct stat *attr, double timeout)
{
	(void) req;
	(void) attr;
	(void) timeout;
	return 0;
}

int64_t
ssdemu_now(void)
{
	return 0;
}

void
ssdemu_queue_add(SsdemuQueue *queue, int64_t when, void (*act) (void *),
				 void *argument)
{
	(void) queue;
	(void) when;
	act(argument);
}

void
ssdemu_trace_mark(SsdemuTrace *trace, const char *text)
{
	(void) trace;
	REQUIRE(strlen(text) <= MOST_WRITTEN && strchr(text, '\n') == NULL);
	marks++;
}

bool
ssdemu_device_command(SsdemuDevice *one, const char *text)
{
	SsdsimError error = {""};
	bool		good = ssdemu_faults_command(&one->faults, text, &error);

	REQUIRE(good == (error.text[0] == '\0'));
	REQUIRE(memchr(error.text, '\0', sizeof(error.text)) != NULL);
	return good;
}

size_t
ssdemu_device_print_faults(SsdemuDevice *one, char *text, size_t size)
{
	return ssdemu_faults_print(&one->faults, text, size);
}

size_t
ssdemu_device_print_stats(SsdemuDevice *one, char *text, size_t size)
{
	(void) one;
	(void) size;
	text[0] = '\0';
	return 0;
}

/* ----- the rules once more ----- */

/* Decimal, and distinguishable from zero and infinity. */
static bool
number(const char *word, double most, double *value)
{
	char	   *end;

	errno = 0;
	*value = strtod(word, &end);
	return end > word && *end == '\0' && errno != ERANGE &&
		strspn(word, "0123456789.+-eE") == strlen(word) &&
		*value >= 0 && *value <= most;
}

static bool
is(const char *word, const char *other)
{
	return strcmp(word, other) == 0;
}

static bool
follow_words(char words[][MOST_LINE + 1], int count, SsdemuFaults *faults)
{
	double		chance;
	double		late;

	if (count == 1 && is(words[0], "reset"))
	{
		faults->eio[0] = faults->eio[1] = faults->spike = 0;
		faults->read_only = false;
		return true;
	}
	if (count == 2 && is(words[0], "read-only"))
	{
		faults->read_only = is(words[1], "on");
		return is(words[1], "on") || is(words[1], "off");
	}
	if (count != 3)
		return false;
	if (is(words[0], "eio") && number(words[2], 1, &chance) &&
		(is(words[1], "read") || is(words[1], "write")))
	{
		faults->eio[is(words[1], "write")] = chance;
		return true;
	}
	if (!is(words[0], "spike") || !number(words[1], 1, &chance) ||
		!number(words[2], 60e6, &late))
		return false;
	faults->spike = chance;
	faults->spike_time = llround(late * 1000);
	return true;
}

/* One line, without its newline. */
static bool
follow_line(const char *line, size_t length, SsdemuFaults *faults)
{
	char		words[6][MOST_LINE + 1];
	int			count = 0;
	size_t		at = 0;

	if (length > MOST_LINE)
		return false;
	while (at < length)
	{
		size_t		width = 0;

		while (at + width < length && line[at + width] != ' ' &&
			   line[at + width] != '\t')
			width++;
		if (width > 0)
		{
			if (count == 6)
				return false;
			memcpy(words[count], line + at, width);
			words[count++][width] = '\0';
		}
		at += width + 1;
	}
	return count == 0 || follow_words(words, count, faults);
}

/* Is the text to be accepted, and which faults result? */
static bool
follow(const char *text, size_t size, SsdemuFaults *faults)
{
	size_t		at = 0;

	if (size > MOST_WRITTEN || memchr(text, '\0', size) != NULL)
		return false;
	while (at < size)
	{
		const char *newline = memchr(text + at, '\n', size - at);
		size_t		length = newline == NULL ? size - at :
			(size_t) (newline - text) - at;

		if (!follow_line(text + at, length, faults))
			return false;
		at += length + 1;
	}
	return true;
}

/* A mark is alone, and ssdsim can read its name. */
static bool
is_mark(const char *text, size_t size)
{
	if (fs.trace == NULL || size < 4 || memcmp(text, "mark", 4) != 0 ||
		memchr(text, '\0', size) != NULL)
		return false;
	if (text[size - 1] == '\n')
		size--;
	return memchr(text, '\n', size) == NULL &&
		(size == 4 || text[4] == ' ') && size <= MOST_MARK;
}

/* ----- one input ----- */

static bool
same(const SsdemuFaults *a, const SsdemuFaults *b)
{
	return a->eio[0] == b->eio[0] && a->eio[1] == b->eio[1] &&
		a->spike == b->spike && a->spike_time == b->spike_time &&
		a->read_only == b->read_only;
}

/*
 * Reading in two pieces returns the file, and writing it back changes nothing.
 */
static void
read_back(size_t first)
{
	char		whole[MOST_WRITTEN + 1];
	SsdemuFaults again = device.faults;
	SsdsimError error;
	size_t		length;

	ssdemu_control_read(NULL, CONTROL, sizeof(whole), 0);
	length = answer.length;
	REQUIRE(length > 0 && length < 256);
	memcpy(whole, answer.text, length);
	whole[length] = '\0';
	first %= length + 2;
	ssdemu_control_read(NULL, CONTROL, first, 0);
	REQUIRE(answer.length == (first < length ? first : length));
	ssdemu_control_read(NULL, CONTROL, sizeof(whole), (off_t) first);
	REQUIRE(answer.length == (first < length ? length - first : 0));
	REQUIRE(memcmp(answer.text, whole + first, answer.length) == 0 ||
			answer.length == 0);
	REQUIRE(ssdemu_faults_command(&again, whole, &error));
	REQUIRE(again.read_only == device.faults.read_only);
	REQUIRE(fabs(again.spike - device.faults.spike) <= 1e-5);
}

static void
write_control(const char *text, size_t size)
{
	char	   *exact = malloc(size > 0 ? size : 1);

	REQUIRE(exact != NULL);
	if (size > 0)
		memcpy(exact, text, size);
	memset(&answer, 0, sizeof(answer));
	ssdemu_control_write(NULL, CONTROL, exact, size);
	REQUIRE(answer.answers == 1);
	free(exact);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *) data + 1;
	SsdemuFaults expected;
	bool		taken;
	unsigned	before = marks;

	if (size == 0)
		return 0;
	size--;
	fs.device = &device;
	fs.trace = data[0] % 2 == 0 ? NULL : (SsdemuTrace *) &fs;
	ssdemu_faults_init(&device.faults, 1);
	device.faults.eio[0] = 0.5;
	expected = device.faults;
	taken = is_mark(text, size);
	if (!taken)
	{
		taken = follow(text, size, &expected);
		if (!taken)
			expected = device.faults;
	}
	write_control(text, size);
	REQUIRE((answer.error == 0) == taken);
	REQUIRE(!taken || answer.written == size);
	REQUIRE(same(&device.faults, &expected));
	REQUIRE(marks - before == (unsigned) (taken && is_mark(text, size)));
	read_back(data[0]);
#ifdef SSDPAR_LIBFUZZER
	return 0;					/* other values have a meaning for libFuzzer */
#else
	return taken;
#endif
}
