/*
 * test_ssb_tbl.c
 *		The reader of .tbl files: what it accepts, and its messages for what it
 *		refuses.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "ssb_tbl.h"

#define SUPPLIER "1|Supplier#000000001|addr|PERU     1|PERU|AMERICA|27-1|"

static void
check_taken(SsbTable table, const char *line, const char *expected)
{
	size_t		length = strlen(line);
	char	   *copy = malloc(length + 1);	/* so that ASan sees overreads */
	char	   *out = malloc(2 * length + 1);
	SsbError	error;
	size_t		got;

	memcpy(copy, line, length);
	if (!ssb_tbl_convert(table, copy, length, out, &got, &error))
		fail_msg("refused: %s", error.text);
	assert_int_equal(got, strlen(expected));
	assert_memory_equal(out, expected, got);
	free(copy);
	free(out);
}

static void
check_refused(SsbTable table, const char *line, const char *reason)
{
	size_t		length = strlen(line);
	char	   *out = malloc(2 * length + 1);
	SsbError	error;
	size_t		got;

	assert_false(ssb_tbl_convert(table, line, length, out, &got, &error));
	if (strstr(error.text, reason) == NULL)
		fail_msg("\"%s\" does not say \"%s\"", error.text, reason);
	free(out);
}

static void
test_lines_taken(void **state)
{
	(void) state;
	check_taken(SSB_SUPPLIER, SUPPLIER,
				"1\tSupplier#000000001\taddr\tPERU     1\tPERU\tAMERICA\t"
				"27-1\n");
	check_taken(SSB_SUPPLIER, "-2147483648|||||||",
				"-2147483648\t\t\t\t\t\t\n");
	check_taken(SSB_SUPPLIER, "2147483647|a|b|c|d|e|f",
				"2147483647\ta\tb\tc\td\te\tf\n");
	check_taken(SSB_SUPPLIER, "1|\\N|a\\b|c|d|e|\\\\|",
				"1\t\\\\N\ta\\\\b\tc\td\te\t\\\\\\\\\n");
	check_taken(SSB_SUPPLIER, "0000000000000000000000000000000000001|||||||",
				"0000000000000000000000000000000000001\t\t\t\t\t\t\n");
}

static void
test_column_counts(void **state)
{
	(void) state;
	check_refused(SSB_SUPPLIER, "", "1 columns, 7 expected");
	check_refused(SSB_SUPPLIER, "|", "1 columns, 7 expected");
	check_refused(SSB_SUPPLIER, "1|a|b|c|d|e|", "6 columns, 7 expected");
	check_refused(SSB_SUPPLIER, SUPPLIER "x", "8 columns, 7 expected");
	check_refused(SSB_SUPPLIER, SUPPLIER "|", "8 columns, 7 expected");
	check_refused(SSB_CUSTOMER, SUPPLIER, "7 columns, 8 expected");
}

static void
test_numbers(void **state)
{
	(void) state;
	check_refused(SSB_SUPPLIER, "x|a|b|c|d|e|f|",
				  "s_suppkey is \"x\", a number is expected");
	check_refused(SSB_SUPPLIER, "1.5|a|b|c|d|e|f|", "a number is expected");
	check_refused(SSB_SUPPLIER, " 1|a|b|c|d|e|f|", "a number is expected");
	check_refused(SSB_SUPPLIER, "|a|b|c|d|e|f|", "s_suppkey is empty");
	check_refused(SSB_SUPPLIER, "-|a|b|c|d|e|f|", "s_suppkey is empty");
	check_refused(SSB_SUPPLIER, "2147483648|a|b|c|d|e|f|",
				  "2147483648, out of the range of int4");
	check_refused(SSB_SUPPLIER, "-2147483649|a|b|c|d|e|f|", "out of the");
	check_refused(SSB_SUPPLIER,
				  "99999999999999999999999999999999999999|a|b|c|d|e|f|",
				  "out of the range");
	check_refused(SSB_DATE, "19920101|a|b|c|1|2|d|3|4|5|6|7|e|0|2|0|0|",
				  "d_lastdayinmonthfl is 2, 0 or 1 is expected");
	check_refused(SSB_DATE, "19920101|a|b|c|1|2|d|3|4|5|6|7|e|0|-1|0|0|",
				  "0 or 1 is expected");
}

static void
test_texts(void **state)
{
	(void) state;
	check_refused(SSB_SUPPLIER, "1|a|b|12345678901|d|e|f|",
				  "s_city has 11 characters, at most 10 fit");
	check_refused(SSB_SUPPLIER, "1|a\tb|b|c|d|e|f|",
				  "byte 0x09 at position 4");
	check_refused(SSB_SUPPLIER, "1|a|b|c|d|e|\xc3\xa9|", "byte 0xc3");
}

/* Files: each check writes one. */
static char path[] = "/tmp/test_ssb_tbl.XXXXXX/supplier.tbl";
static char directory[] = "/tmp/test_ssb_tbl.XXXXXX";

typedef struct Got
{
	uint64_t	rows;
	uint64_t	bytes;
} Got;

static bool
count(void *arg, const char *text, size_t length, uint32_t units,
	  uint64_t rows)
{
	Got		   *got = arg;

	assert_int_equal(text[length - 1], '\n');
	got->rows += rows;
	got->bytes += units;
	return true;
}

static int
make_directory(void **state)
{
	(void) state;
	if (mkdtemp(directory) == NULL)
		return -1;
	memcpy(path, directory, sizeof(directory) - 1);
	return 0;
}

static int
remove_directory(void **state)
{
	(void) state;
	unlink(path);
	return rmdir(directory);
}

static void
write_file(const char *text, size_t length)
{
	FILE	   *file = fopen(path, "w");

	assert_non_null(file);
	assert_int_equal(fwrite(text, 1, length, file), length);
	assert_int_equal(fclose(file), 0);
}

static bool
read_file(const char *text, size_t length, Got *got, SsbError *error)
{
	SsbTblFile	file = {SSB_SUPPLIER, length, path};

	write_file(text, length);
	memset(got, 0, sizeof(*got));
	return ssb_tbl_read(&file, count, got, error);
}

static void
check_file_refused(const char *text, size_t length, const char *message)
{
	SsbError	error;
	Got			got;

	assert_false(read_file(text, length, &got, &error));
	assert_string_equal(error.text, message);
}

static void
test_files_taken(void **state)
{
	SsbError	error;
	Got			got;
	char	   *many = malloc(100000 * sizeof(SUPPLIER) + 1);
	size_t		length = 0;

	(void) state;
	for (int i = 0; i < 100000; i++)
		length += (size_t) sprintf(many + length, SUPPLIER "\n");
	assert_true(read_file(many, length, &got, &error));
	assert_int_equal(got.rows, 100000);
	assert_int_equal(got.bytes, length);
	free(many);
	assert_true(read_file(SUPPLIER "\r\n", sizeof(SUPPLIER) + 1, &got,
						  &error));
	assert_int_equal(got.rows, 1);
}

static void
test_files_refused(void **state)
{
	char		longer[2000];
	static const char nul[] = SUPPLIER "\n1|a\0b|b|c|d|e|f|\n";

	(void) state;
	check_file_refused("", 0,
					   "supplier.tbl is empty: the table would have no rows");
	check_file_refused(SUPPLIER "\n" SUPPLIER, 2 * sizeof(SUPPLIER) - 1,
					   "supplier.tbl, line 2: no newline at its end: the "
					   "file is cut off");
	check_file_refused(SUPPLIER "\n\n", sizeof(SUPPLIER) + 1,
					   "supplier.tbl, line 2: 1 columns, 7 expected");
	check_file_refused(nul, sizeof(nul) - 1,
					   "supplier.tbl, line 2: byte 0x00 at position 4: the "
					   "benchmark's data is plain ASCII text");
	memset(longer, 'x', sizeof(longer));
	check_file_refused(longer, sizeof(longer),
					   "supplier.tbl, line 1: longer than 1024 bytes: is "
					   "this a .tbl file?");
}

/* A line of the greatest accepted length, all of it to be escaped. */
static void
test_longest_line(void **state)
{
	char		line[SSB_TBL_LINE_MAX + 2];

	(void) state;
	memset(line, '\\', sizeof(line));
	line[SSB_TBL_LINE_MAX] = '\n';
	check_file_refused(line, SSB_TBL_LINE_MAX + 1,
					   "supplier.tbl, line 1: 1 columns, 7 expected");
}

static void
test_finding_files(void **state)
{
	SsbTblList	list = {0};
	SsbError	error;

	(void) state;
	write_file(SUPPLIER "\n", sizeof(SUPPLIER));
	assert_true(ssb_tbl_find(directory, SSB_SUPPLIER, &list, &error));
	assert_int_equal(list.nfiles, 1);
	assert_string_equal(list.files[0].path, path);
	assert_int_equal(list.files[0].bytes, sizeof(SUPPLIER));
	assert_false(ssb_tbl_find(directory, SSB_PART, &list, &error));
	assert_non_null(strstr(error.text, "part.tbl is missing"));
	ssb_tbl_free(&list);
	assert_false(ssb_tbl_find("/no/such", SSB_PART, &list, &error));
	assert_non_null(strstr(error.text, "part.tbl is missing"));
	ssb_tbl_free(&list);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_lines_taken),
		cmocka_unit_test(test_column_counts),
		cmocka_unit_test(test_numbers),
		cmocka_unit_test(test_texts),
		cmocka_unit_test(test_files_taken),
		cmocka_unit_test(test_files_refused),
		cmocka_unit_test(test_longest_line),
		cmocka_unit_test(test_finding_files),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
