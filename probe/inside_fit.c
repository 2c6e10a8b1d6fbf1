/*
 * inside_fit.c
 *		Finds the chunks and domains that explain the times of pairs.
 *
 * Paper 000 measures bandwidths at growing strides and looks for repeating
 * dips.  Here each time belongs to one distance from a fixed anchor.  Times
 * above a threshold are assumed to be of pairs in one domain.  With chunks of
 * S units and D domains they form runs of S, every S * D units, and the pair
 * (S, D) that predicts them best is searched.
 */
#include "inside_fit.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "statistics.h"

/* Minimum number of repetitions of a pattern. */
#define LEAST_PERIODS 4

/* Thresholds tried above the usual time, in standard deviations. */
#define FIRST_THRESHOLD 6.0
#define THRESHOLDS 6

/* Relative differences below this are considered random. */
#define LEAST_EXCESS 0.01

/* A significant and an insignificant mean, in standard errors. */
#define STANDS_OUT 8.0
#define IS_FLAT 3.0

typedef struct Baseline
{
	double		usual;			/* of a pair in two domains */
	double		deviation;
} Baseline;

/*
 * At least half of the pairs are in two domains, so the lowest quarter of all
 * times belongs to them.  If it is exactly half, the 5th and 25th percentiles
 * of all are the 10th and the 50th of these, which are 1.28 deviations apart;
 * if nearly all, they are 0.97 deviations apart.  1 is used for both.
 */
static void
find_baseline(const double *times, int count, double *sorted,
			  Baseline *baseline)
{
	int			n = count - 1;

	memcpy(sorted, times + 1, (size_t) n * sizeof(double));
	ssdpar_probe_median(sorted, n); /* sorts */
	baseline->usual = sorted[n / 4];
	baseline->deviation = sorted[n / 4] - sorted[n / 20];
	if (baseline->deviation < baseline->usual * LEAST_EXCESS /
		FIRST_THRESHOLD)
		baseline->deviation = baseline->usual * LEAST_EXCESS /
			FIRST_THRESHOLD;
}

/*
 * For the distances with one remainder: their number, and the number of hits.
 */
typedef struct Folded
{
	int			units;
	int			hits;
} Folded;

/*
 * Counts HITS[1 .. COUNT - 1] by the remainder modulo PERIOD, as cumulative
 * sums.
 */
static void
fold(const uint8_t *hits, int count, int period, Folded *sums)
{
	memset(sums, 0, (size_t) (period + 1) * sizeof(Folded));
	for (int i = 1, r = 1 % period; i < count; i++)
	{
		sums[r + 1].units++;
		sums[r + 1].hits += hits[i];
		r = r + 1 == period ? 0 : r + 1;
	}
	for (int r = 0; r < period; r++)
	{
		sums[r + 1].units += sums[r].units;
		sums[r + 1].hits += sums[r].hits;
	}
}

/*
 * F1, the harmonic mean of precision and recall, of one explanation.  The
 * anchor's chunk is excluded because a device may cache a page that it has
 * just read.
 */
static double
score(const Folded *sums, const int *hits_until, int period, int chunk,
	  int phase, int total)
{
	int			own = chunk - 1 - phase;	/* its units after the anchor */
	int			own_hits = hits_until[own];
	int			units = sums[chunk - phase].units +
		sums[period].units - sums[period - phase].units - own;
	int			right = sums[chunk - phase].hits +
		sums[period].hits - sums[period - phase].hits - own_hits;

	total -= own_hits;
	return units + total > 0 ? 2.0 * right / (units + total) : 0.0;
}

/* Working memory of a fit. */
typedef struct Search
{
	int			count;
	double	   *sorted;
	uint8_t    *hits;
	int		   *hits_until;		/* by distance, inclusive */
	Folded	   *sums;
} Search;

/* Tries all chunks and phases of one period. */
static void
try_period(const Search *search, int period, ProbeFit *best)
{
	int			total = search->hits_until[search->count - 1];

	fold(search->hits, search->count, period, search->sums);
	for (int chunk = 1; chunk <= period / 2; chunk++)
	{
		if (period % chunk != 0)
			continue;
		for (int phase = 0; phase < chunk; phase++)
		{
			double		now = score(search->sums, search->hits_until, period,
									chunk, phase, total);

			if (now <= best->score)
				continue;
			best->score = now;
			best->chunk = chunk;
			best->degree = period / chunk;
			best->phase = phase;
		}
	}
}

static void
fit_threshold(const Search *search, const double *times, double threshold,
			  ProbeFit *best)
{
	int			total = 0;

	for (int i = 1; i < search->count; i++)
	{
		search->hits[i] = times[i] > threshold;
		search->hits_until[i] = total += search->hits[i];
	}
	if (total < LEAST_PERIODS - 1)
		return;
	for (int period = 2; period <= search->count / LEAST_PERIODS; period++)
		try_period(search, period, best);
}

/*
 * Uses the lowest threshold that separates anything, because higher ones would
 * mistake deeper levels for the first.
 */
static void
fit_thresholds(const Search *search, const double *times,
			   const Baseline *baseline, ProbeFit *best)
{
	double		distance = FIRST_THRESHOLD * baseline->deviation;

	for (int i = 0; i < THRESHOLDS && best->score < PROBE_FIT_GOOD; i++)
	{
		fit_threshold(search, times, baseline->usual + distance, best);
		distance *= 2;
	}
}

/*
 * Measures the times of pairs according to the fit.  For those in one domain
 * the lower quartile is used, because some also share a die and take longer.
 */
static void
measure_levels(const double *times, int count, double *values, ProbeFit *fit)
{
	int			n = 0;

	for (int i = 1; i < count; i++)
		if (ssdpar_probe_fit_domain(fit, i) != 0)
			values[n++] = times[i];
	fit->apart = ssdpar_probe_median(values, n);
	n = 0;
	for (int i = fit->chunk - fit->phase; i < count; i++)
		if (ssdpar_probe_fit_domain(fit, i) == 0)
			values[n++] = times[i];
	ssdpar_probe_median(values, n);
	fit->together = values[n / 4];
}

/* ----- the level above ----- */

/* Clipped, so that a single stall has no effect. */
static double
clipped(double time, const ProbeFit *fit)
{
	double		most = FIRST_THRESHOLD * fit->noise;

	return fmax(fmin(time, fit->apart + most), fit->apart - most);
}

/*
 * By how many standard errors pairs whose chunks are a multiple of DEGREE
 * apart take longer than others.  FIT determines which pairs are excluded on
 * both sides.
 */
static double
excess_of(const double *times, int count, const ProbeFit *fit, int degree)
{
	double		sums[2] = {0};
	double		squares = 0;
	int			n[2] = {0};
	double		mean;
	double		variance;

	for (int i = fit->chunk - fit->phase; i < count; i++)
	{
		int			domain = ssdpar_probe_fit_domain(fit, i);
		int			side = domain % degree == 0;
		double		time = clipped(times[i], fit);

		if (domain == 0)
			continue;
		n[side]++;
		sums[side] += time;
		if (side == 0)
			squares += (time - fit->apart) * (time - fit->apart);
	}
	if (n[0] < 2 || n[1] < 2)
		return 0;
	mean = sums[0] / n[0];
	variance = squares / n[0] - (mean - fit->apart) * (mean - fit->apart);
	variance = fmax(variance, pow(fit->apart * LEAST_EXCESS / 100, 2));
	return (sums[1] / n[1] - mean) / sqrt(variance / n[0] + variance / n[1]);
}

/*
 * With C larger domains, multiples of C have the entire excess.  Multiples of
 * a divisor of C have it diluted by others, and multiples of 2 C, 3 C ... are
 * fewer.  So C is the most significant.  Returns 0 if the result is unclear.
 */
static int
find_top_level(const double *times, int count, const ProbeFit *fit)
{
	double		most = 0;
	int			degree = 0;

	for (int divisor = 2; divisor < fit->degree; divisor++)
	{
		double		excess;

		if (fit->degree % divisor != 0)
			continue;
		excess = excess_of(times, count, fit, divisor);
		if (excess <= most)
			continue;
		most = excess;
		degree = divisor;
	}
	if (most < IS_FLAT)
		return fit->degree;
	return most >= STANDS_OUT ? degree : 0;
}

static void
settle_levels(const double *times, int count, double *values, ProbeFit *fit)
{
	int			degree;

	measure_levels(times, count, values, fit);
	degree = find_top_level(times, count, fit);
	fit->clear = degree > 0 && fit->score >= PROBE_FIT_GOOD;
	if (!fit->clear || degree == fit->degree)
		return;
	fit->degree = degree;
	measure_levels(times, count, values, fit);
}

bool
ssdpar_probe_fit(const double *times, int count, ProbeFit *fit)
{
	size_t		n = (size_t) count;
	Search		search = {
		.count = count,
		.sorted = calloc(n, sizeof(double)),
		.hits = calloc(n, sizeof(uint8_t)),
		.hits_until = calloc(n, sizeof(int)),
		.sums = calloc(n + 1, sizeof(Folded)),
	};
	bool		good = search.sorted != NULL && search.hits != NULL &&
		search.hits_until != NULL && search.sums != NULL;
	Baseline	baseline;

	memset(fit, 0, sizeof(*fit));
	if (good)
	{
		find_baseline(times, count, search.sorted, &baseline);
		fit->apart = baseline.usual;
		fit->noise = baseline.deviation;
		fit_thresholds(&search, times, &baseline, fit);
		if (fit->score >= PROBE_FIT_NONE)
			settle_levels(times, count, search.sorted, fit);
	}
	free(search.sorted);
	free(search.hits);
	free(search.hits_until);
	free(search.sums);
	return good;
}

/* ----- the level below ----- */

/* The times of pairs in one domain are fitted again, chunk by chunk. */
bool
ssdpar_probe_subdomains(const double *times, int count, const ProbeFit *fit,
						int *subdomains)
{
	int			stride = fit->chunk * fit->degree;
	int			n = (count - 1 - (fit->chunk - 1 - fit->phase)) / stride + 1;
	double	   *means = calloc((size_t) n, sizeof(double));
	ProbeFit	deeper;
	bool		good;

	*subdomains = 0;
	if (means == NULL)
		return false;
	for (int i = 1; i < n; i++)
	{
		int			first = i * stride - fit->phase;

		for (int j = 0; j < fit->chunk; j++)
			means[i] += times[first + j] / fit->chunk;
	}
	good = n < 4 * LEAST_PERIODS || ssdpar_probe_fit(means, n, &deeper);
	if (good && n >= 4 * LEAST_PERIODS && deeper.chunk == 1 &&
		deeper.clear)
		*subdomains = deeper.degree;
	free(means);
	return good;
}
