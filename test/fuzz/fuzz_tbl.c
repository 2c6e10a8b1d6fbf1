/*
 * fuzz_tbl.c
 *		Fuzz target for the reader of .tbl files (bench/ssb/ssb_tbl.c and
 *		ssb_tbl_file.c).
 *
 * The input is a file of the table that its first byte selects.  For any
 * contents: no memory is misused (according to AddressSanitizer), and either
 * the file is refused with one line that names it, or the output for COPY has
 * the same columns, with the number and types of the table.
 */
#include "fuzz_text.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "bench/ssb/ssb_tbl.h"

#define MOST 65536

const char *const fuzz_name = "fuzz_tbl";

const char *const fuzz_seeds[] = {
	"1|Supplier#000000001|addr|PERU     1|PERU|AMERICA|27-1|\n",
	"2|Customer#000000002|addr|CHINA    0|CHINA|ASIA|27-918|MACHINERY|\n"
	"3|Customer#000000003|addr|CHINA    0|CHINA|ASIA|27-918|MACHINERY|\n",
	"1|lace spring|MFGR#1|MFGR#11|MFGR#1121|goldenrod|PROMO|7|JUMBO PKG|\n",
	"19920101|January 1, 1992|Thursday|January|1992|199201|Jan1992|5|1|1|1|1|"
	"Winter|0|1|1|1|\n",
	"1|1|7381|155190|828|19960102|5-LOW|0|17|2116823|17366547|4|2032150|74711|"
	"2|19960212|TRUCK|\n"
	"1|2|7381|67310|163|19960102|5-LOW|0|36|4598316|17366547|9|4184467|76638|"
	"6|19960228|MAIL\r\n", NULL
};

const char *const fuzz_words[] = {
	"|", "||", "|||||||", "\n", "\r\n", "\r", "\\", "\\.", "\\N", "\t",
	"2147483647", "2147483648", "-2147483648", "-2147483649", "-", "-0",
	"00000000000000000000001", "99999999999999999999999999999999999999999",
	"0", "1", "2", "\x7f", "\x80", "1e3", " ", "#",
	"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
	NULL
};

/* The output for COPY. */
typedef struct Copied
{
	size_t		length;
	uint64_t	bytes;			/* of input */
	uint64_t	rows;
	char		text[2 * MOST];
} Copied;

static Copied copied;

static bool
keep(void *arg, const char *text, size_t length, uint32_t units,
	 uint64_t rows)
{
	(void) arg;
	REQUIRE(copied.length + length <= sizeof(copied.text));
	memcpy(copied.text + copied.length, text, length);
	copied.length += length;
	copied.bytes += units;
	copied.rows += rows;
	return true;
}

static void
require_number(const char *text, size_t length, int width)
{
	char		number[64] = {0};
	char	   *end;
	long long	value;

	/* it may have leading zeros */
	while (length > 1 && *text == '0')
		text++, length--;
	REQUIRE(length > 0 && length < sizeof(number));
	memcpy(number, text, length);
	errno = 0;
	value = strtoll(number, &end, 10);
	if (number[0] == '-')		/* also after its sign */
	{
		REQUIRE(*end == '\0' && errno == 0);
		REQUIRE(width == SSB_INT4 && value >= INT32_MIN);
		return;
	}
	REQUIRE(isdigit((unsigned char) number[0]) && *end == '\0');
	REQUIRE(value <= (width == SSB_FLAG ? 1 : INT32_MAX));
}

/* Compares one line for COPY with one line of the file, without line ends. */
static void
require_same(const SsbTableInfo *info, const char *line, size_t length,
			 const char *out, size_t out_length)
{
	size_t		at = 0;
	int			column = 0;
	size_t		begin = 0;

	for (size_t i = 0; i <= length && column < info->ncolumns; i++)
	{
		bool		ends = i == length || line[i] == '|';

		if (!ends)
		{
			REQUIRE((unsigned char) line[i] >= 0x20 &&
					(unsigned char) line[i] < 0x7f);
			if (line[i] == '\\')
				REQUIRE(at < out_length && out[at++] == '\\');
			REQUIRE(at < out_length && out[at++] == line[i]);
			continue;
		}
		if (info->columns[column].width <= 0)
			require_number(line + begin, i - begin,
						   info->columns[column].width);
		else
			REQUIRE(i - begin <= (size_t) info->columns[column].width);
		begin = i + 1;
		if (++column < info->ncolumns)
			REQUIRE(at < out_length && out[at++] == '\t');
	}
	REQUIRE(at == out_length && column == info->ncolumns);
	REQUIRE(begin >= length);
}

/* Compares the whole output with the whole file. */
static void
require_copied(const SsbTableInfo *info, const char *text, size_t size)
{
	const char *out = copied.text;
	const char *end = copied.text + copied.length;
	uint64_t	rows = 0;

	REQUIRE(copied.bytes == size);
	for (size_t at = 0; at < size; rows++)
	{
		const char *newline = memchr(text + at, '\n', size - at);
		const char *out_newline = memchr(out, '\n', (size_t) (end - out));
		size_t		length;

		REQUIRE(newline != NULL && out_newline != NULL);
		length = (size_t) (newline - text) - at;
		require_same(info, text + at,
					 length - (length > 0 && newline[-1] == '\r'), out,
					 (size_t) (out_newline - out));
		out = out_newline + 1;
		at += length + 1;
	}
	REQUIRE(out == end && rows == copied.rows && rows > 0);
}

/* Creates a file without a name; its first bytes end where the file does. */
static int
make_file(const char *text, size_t size)
{
	static int	fd = -1;

	if (fd < 0)
		fd = memfd_create("fuzz_tbl", MFD_CLOEXEC);
	REQUIRE(fd >= 0 && ftruncate(fd, 0) == 0);
	REQUIRE(pwrite(fd, text, size, 0) == (ssize_t) size);
	return fd;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char		path[64];
	SsbError	error = {""};
	SsbTblFile	file = {.path = path};
	const char *text = (const char *) data + 1;
	bool		taken;

	if (size == 0 || size > MOST)
		return 0;
	size--;
	file.table = data[0] % SSB_NTABLES;
	file.bytes = size;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", make_file(text, size));
	copied.length = 0;
	copied.rows = copied.bytes = 0;
	taken = ssb_tbl_read(&file, keep, NULL, &error);
	if (taken)
		require_copied(&ssb_tables[file.table], text, size);
	else
		REQUIRE(error.text[0] != '\0' && strchr(error.text, '\n') == NULL);
#ifdef SSDPAR_LIBFUZZER
	return 0;					/* other values have a meaning for libFuzzer */
#else
	return taken;
#endif
}
