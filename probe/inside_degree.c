/*
 * inside_degree.c
 *		Are domains parts of larger ones, as dies are of a channel?
 *
 * If the larger ones rarely cause waits, a scan only shows the smaller ones.
 * More reads are made here to find out whether there are others.
 */
#include "inside_layout.h"

#include <math.h>
#include <stdlib.h>

/* Enough pairs and visits to show a difference of one percent of a read. */
#define PAIRS 256
#define VISITS 25

/*
 * Significant difference in standard errors, and smallest relevant fraction of
 * a read.
 */
#define STANDS_OUT 3.5
#define LEAST_EXCESS 0.002

/* 2 * 3 * 5 * 7 * 11 exceeds the number of units in a window. */
#define MOST_FACTORS 4

/* Times of pairs of one kind. */
typedef struct Level
{
	double		mean;
	double		variance;		/* of the mean */
} Level;

static int
find_prime_factors(int number, int *factors)
{
	int			n = 0;

	for (int i = 2; i <= number; i++)
	{
		if (number % i != 0)
			continue;
		factors[n++] = i;
		while (number % i == 0)
			number /= i;
	}
	return n;
}

static int
common_divisor(int a, int b)
{
	return b == 0 ? a : common_divisor(b, a % b);
}

/*
 * Distance in domains of pairs that share a larger domain, if there are any
 * made of FACTOR domains each; for factor 1, of pairs that never share one.
 */
static int
choose_away(ProbeProbing *probing, int degree, int factor)
{
	int			away;

	if (factor > 1)
		return degree / factor *
			(1 + ssdpar_probe_below(probing, factor - 1));
	do
		away = 1 + ssdpar_probe_below(probing, degree - 1);
	while (common_divisor(degree, away) > 1);
	return away;
}

static Level
summarize(const ProbePair *pairs, int count, int kind)
{
	Level		level = {0};
	double		squares = 0;

	for (int i = 0; i < count; i++)
		if (pairs[i].kind == kind)
			level.mean += pairs[i].time / PAIRS;
	for (int i = 0; i < count; i++)
		if (pairs[i].kind == kind)
			squares += pow(pairs[i].time - level.mean, 2);
	level.variance = squares / PAIRS / PAIRS;
	return level;
}

/* All kinds are in one list, so drift between visits affects them equally. */
static bool
time_levels(ProbeProbing *probing, const ProbeLayout *layout,
			const int *factors, int nlevels, Level *levels)
{
	int			count = nlevels * PAIRS;
	ProbePair  *pairs = calloc((size_t) count, sizeof(ProbePair));
	bool		good = pairs != NULL;

	for (int i = 0; good && i < count; i++)
	{
		int			kind = i % nlevels;
		int			first = ssdpar_probe_below(probing, layout->chunks);
		int			away = choose_away(probing, layout->fit.degree,
									   factors[kind]);
		int			second = ssdpar_probe_other_chunk(probing, layout, first,
													  away);

		pairs[i].first = ssdpar_probe_unit_at(layout, first, 0);
		pairs[i].second = ssdpar_probe_unit_at(layout, second, 0);
		pairs[i].kind = kind;
	}
	good = good && ssdpar_probe_time_pairs(probing, pairs, count,
										   PROBE_INSIDE_UNIT, VISITS,
										   "checking");
	for (int kind = 0; good && kind < nlevels; kind++)
		levels[kind] = summarize(pairs, count, kind);
	free(pairs);
	return good;
}

/*
 * Each larger domain would consist of a number of domains that divides the
 * degree.  Therefore pairs at a multiple of the degree divided by one of its
 * prime factors would share it.
 */
bool
ssdpar_probe_check_degree(ProbeProbing *probing, const ProbeLayout *layout,
						  bool *single)
{
	int			degree = layout->fit.degree;
	int			factors[1 + MOST_FACTORS] = {1};
	Level		levels[1 + MOST_FACTORS];
	int			nlevels = 1 + find_prime_factors(degree, factors + 1);

	*single = true;
	if (nlevels == 2 && factors[1] == degree)
		return true;
	if (!time_levels(probing, layout, factors, nlevels, levels))
		return false;
	for (int i = 1; i < nlevels; i++)
	{
		double		error = sqrt(levels[0].variance + levels[i].variance);

		if (levels[i].mean - levels[0].mean >
			fmax(STANDS_OUT * error, LEAST_EXCESS * levels[0].mean))
			*single = false;
	}
	return true;
}
