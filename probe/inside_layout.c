/*
 * inside_layout.c
 *		Tests a fit with new pairs, so that a coincidental pattern is
 *		rejected.
 */
#include "inside_layout.h"

#include <math.h>

/* Pairs of each kind. */
#define PAIRS 64

enum
{
	TOGETHER,
	APART,
	OTHER_HALF,
	KINDS,
};

/*
 * FIT's noise is that of medians of VISITS visits.  A median's deviation
 * decreases with the square root of the visits.  If it is a quarter of the
 * distance to the middle, one of 30,000 is wrong.
 */
int
ssdpar_probe_visits_for(const ProbeFit *fit, int visits)
{
	double		margin = (fit->together - fit->apart) / 2 / 4;
	double		wanted = visits * pow(fit->noise / margin, 2);

	if (!(wanted > 5))
		return 5;
	return wanted < PROBE_MOST_VISITS ? (int) ceil(wanted) : PROBE_MOST_VISITS;
}

double
ssdpar_probe_share_together(const ProbeFit *fit, const ProbePair *pairs,
							int count, int kind)
{
	double		middle = (fit->apart + fit->together) / 2;
	int			all = 0;
	int			slow = 0;

	for (int i = 0; i < count; i++)
	{
		all += pairs[i].kind == kind;
		slow += pairs[i].kind == kind && pairs[i].time > middle;
	}
	return all > 0 ? (double) slow / all : 0;
}

int
ssdpar_probe_other_chunk(ProbeProbing *probing, const ProbeLayout *layout,
						 int chunk, int away)
{
	int			degree = layout->fit.degree;
	int			rows = layout->chunks / degree;
	int			other;

	do
		other = ssdpar_probe_below(probing, rows) * degree +
			(chunk + away) % degree;
	while (other == chunk || other >= layout->chunks);
	return other;
}

/*
 * Half of the pairs apart are in adjacent domains, with units at the near ends
 * of their chunks, where too large a chunk would show.  Too small a chunk
 * shows in pairs of one domain with units at opposite ends.
 */
static void
choose_pair(ProbeProbing *probing, const ProbeLayout *layout, int kind,
			ProbePair *pair)
{
	int			degree = layout->fit.degree;
	int			last = layout->fit.chunk - 1;
	bool		edge = ssdpar_probe_below(probing, 2) == 0;
	int			first = ssdpar_probe_below(probing, layout->chunks);
	int			away = kind != APART ? 0
		: edge ? 1 : 1 + ssdpar_probe_below(probing, degree - 1);
	int			second = ssdpar_probe_other_chunk(probing, layout, first, away);
	int			offset = edge ? last : ssdpar_probe_below(probing, last + 1);
	int			other = edge ? 0 : ssdpar_probe_below(probing, last + 1);

	pair->first = ssdpar_probe_unit_at(layout, first, offset);
	pair->second = ssdpar_probe_unit_at(layout, second, other);
	pair->kind = kind;
}

static double
mean_of(const ProbePair *pairs, int count, int kind)
{
	double		sum = 0;
	int			n = 0;

	for (int i = 0; i < count; i++)
		if (pairs[i].kind == kind)
		{
			sum += pairs[i].time;
			n++;
		}
	return sum / n;
}

/*
 * Reads half units of chunks in one domain: the same halves, or different
 * ones.  If only the former conflict, a chunk is half a unit.
 */
static bool
check_halves(ProbeProbing *probing, const ProbeLayout *layout, int visits,
			 bool *smaller)
{
	ProbePair	pairs[KINDS * PAIRS];
	double		apart;
	double		same;
	double		other;

	*smaller = false;
	if (layout->fit.chunk > 1 ||
		probing->device->alignment > PROBE_INSIDE_UNIT / 2)
		return true;
	for (int i = 0; i < KINDS * PAIRS; i++)
	{
		choose_pair(probing, layout, i % KINDS, &pairs[i]);
		if (pairs[i].kind == OTHER_HALF)
			pairs[i].second += PROBE_INSIDE_UNIT / 2;
	}
	if (!ssdpar_probe_time_pairs(probing, pairs, KINDS * PAIRS,
								 PROBE_INSIDE_UNIT / 2, visits, "checking"))
		return false;
	apart = mean_of(pairs, KINDS * PAIRS, APART);
	same = mean_of(pairs, KINDS * PAIRS, TOGETHER);
	other = mean_of(pairs, KINDS * PAIRS, OTHER_HALF);
	*smaller = other - apart < (same - apart) * 0.75;
	return true;
}

bool
ssdpar_probe_check_layout(ProbeProbing *probing, const ProbeLayout *layout,
						  int visits, double *confidence)
{
	ProbePair	pairs[2 * PAIRS];
	bool		smaller;

	for (int i = 0; i < 2 * PAIRS; i++)
		choose_pair(probing, layout, i % 2, &pairs[i]);
	if (!ssdpar_probe_time_pairs(probing, pairs, 2 * PAIRS, PROBE_INSIDE_UNIT,
								 visits, "checking") ||
		!check_halves(probing, layout, visits, &smaller))
		return false;
	*confidence = smaller ? 0 :
		fmin(ssdpar_probe_share_together(&layout->fit, pairs, 2 * PAIRS,
										 TOGETHER),
			 1 - ssdpar_probe_share_together(&layout->fit, pairs, 2 * PAIRS,
											 APART));
	return true;
}
