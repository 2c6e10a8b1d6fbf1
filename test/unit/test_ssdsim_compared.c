/*
 * test_ssdsim_compared.c
 *		What ssdpar-probe's page says of other devices is what ssdsim computes
 *		of them (probe/compared.c).
 *
 * links: probe/compared.c
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "bench/ssdsim/ssdsim_args.h"
#include "probe/compared.h"

static SsdsimRun run;

/* As the command: ssdsim --device NAME --size 8kB --depth N. */
static double
compute(const char *name, int depth)
{
	char		text[16];
	const char *words[] = {"ssdsim", "--device", name, "--size", "8kB",
	"--depth", text, "--requests", "20000", NULL};
	SsdsimArgs	args;
	SsdsimError error;

	snprintf(text, sizeof(text), "%d", depth);
	assert_true(ssdsim_args_parse(9, (char **) words, SSDSIM_DEVICES, &args,
								  &error));
	ssdsim_run_begin(&run, &args.spec, args.policy, args.load.seed, args.age);
	ssdsim_load_run(&args.load, &run);
	return (double) run.result.requests * 1e9 / (double) run.result.time;
}

static void
as_computed(void **state)
{
	(void) state;
	for (int i = 0; i < PROBE_COMPARED_DEVICES; i++)
		for (int d = 0; d < PROBE_COMPARED_DEPTHS; d++)
		{
			double		stated = ssdpar_probe_compared[i].iops[d];

			assert_in_range(compute(ssdpar_probe_compared[i].name,
									ssdpar_probe_compared_depths[d]),
							stated * 0.95, stated * 1.05 + 1);
		}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_computed),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
