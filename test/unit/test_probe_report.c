/*
 * test_probe_report.c
 *		Unit tests of what ssdpar-probe --inside reports for a device with a
 *		pattern (probe/report.c), because the device that tests run on may have
 *		none.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "probe/report.h"

/* Eight domains of 64 kB. */
static ProbeInsideResult
invent(void)
{
	ProbeInsideResult result = {
		.inside = {
			.verdict = PROBE_INSIDE_PATTERN,
			.chunk_bytes = 65536,
			.degree = 8,
			.confidence = 0.96,
			.mapping = PROBE_MAPPING_STATIC,
			.mapping_confidence = 0.9,
			.apart = 80000,
			.together = 140500,
			.window = 1 << 30,
			.pairs = 1234,
		},
	};

	return result;
}

static void
assert_tells(const ProbeInsideResult *result, const char *text)
{
	char	   *report = NULL;
	size_t		size = 0;
	FILE	   *out = open_memstream(&report, &size);

	assert_non_null(out);
	ssdpar_probe_report_inside(out, result);
	assert_int_equal(fclose(out), 0);
	if (strstr(report, text) == NULL)
		fail_msg("no \"%s\" in\n%s", text, report);
	free(report);
}

static void
of_a_pattern(void **state)
{
	ProbeInsideResult result = invent();

	(void) state;
	assert_tells(&result, "  chunk size           64 kB\n"
				 "  interleaving degree  8; of new pairs of reads 96 % were "
				 "as that says\n"
				 "  mapping policy       static, by address; of new pairs of "
				 "reads 90 % were as that says\n"
				 "  two reads at once take 80.0 us in two domains, 140.5 us "
				 "in one\n");
	result.inside.subdomains = 4;
	assert_tells(&result, "degree  8, each of 4 subdomains; of new pairs");
}

static void
of_how_it_maps(void **state)
{
	ProbeInsideResult result = invent();

	(void) state;
	result.inside.mapping = PROBE_MAPPING_ORDER;
	assert_tells(&result, "mapping policy       write order; of new pairs of "
				 "reads 90 %");
	result.inside.mapping = PROBE_MAPPING_UNKNOWN;
	assert_tells(&result, "mapping policy       cannot be said\n  two reads");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_pattern),
		cmocka_unit_test(of_how_it_maps),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
