/*
 * inside_mapping.c
 *		Static mapping or by order of writes: paper 000, section 5.4.
 */
#include "inside_layout.h"

#include <math.h>
#include <stdlib.h>

#include "plan.h"

/* Maximum amount to overwrite, and pairs of each kind. */
#define MOST_CHUNKS 1024
#define MOST_BYTES ((uint64_t) 64 << 20)
#define PAIRS 64

/* Fraction of pairs that must behave as a policy predicts. */
#define SURE 0.9

/* Kinds of pairs, by which mapping they share a domain. */
enum
{
	BY_ADDRESS,					/* together by address only */
	BY_ORDER,					/* together by order only */
	BY_NEITHER,
	KINDS,
};

static int
count_chunks(const ProbeLayout *layout)
{
	uint64_t	bytes = (uint64_t) layout->fit.chunk * PROBE_INSIDE_UNIT;
	int			count = layout->chunks;

	if (count > MOST_CHUNKS)
		count = MOST_CHUNKS;
	return (uint64_t) count * bytes > MOST_BYTES ? (int) (MOST_BYTES / bytes)
		: count;
}

/*
 * ORDER[i] is the i-th chunk to be written.  A device that maps in the order
 * of writes may have filled only part of a chunk after the last byte was
 * written.  The rest is written first; otherwise each of our chunks would be
 * in two domains.
 */
static bool
overwrite(ProbeProbing *probing, const ProbeLayout *layout, const int *order,
		  int count)
{
	uint64_t	bytes = (uint64_t) layout->fit.chunk * PROBE_INSIDE_UNIT;
	uint64_t	end = probing->device->bytes;
	uint64_t	begun = (end - layout->start) % bytes;

	if (begun > 0 && !ssdpar_probe_overwrite(probing, end - bytes,
											 bytes - begun))
		return false;
	for (int i = 0; i < count; i++)
	{
		ssdpar_probe_say(probing, "overwriting", (double) i / count);
		if (!ssdpar_probe_overwrite(probing,
									ssdpar_probe_unit_at(layout, order[i], 0),
									bytes))
			return false;
	}
	return probing->device->settle(probing->device->arg);
}

/*
 * Kind of the pair of the I-th and the J-th write; KINDS if both mappings
 * agree.
 */
static int
kind_of(const int *order, int i, int j, int degree)
{
	bool		address = (order[i] - order[j]) % degree == 0;
	bool		turn = (i - j) % degree == 0;

	if (address == turn)
		return address ? KINDS : BY_NEITHER;
	return address ? BY_ADDRESS : BY_ORDER;
}

/*
 * Writes of a pair are close to each other, because concurrent writes of
 * others shift all later ones.
 */
static bool
choose_pairs(ProbeProbing *probing, const ProbeLayout *layout,
			 const int *order, int count, ProbePair *pairs)
{
	int			degree = layout->fit.degree;
	int			found[KINDS] = {0};
	int			n = 0;

	for (int tries = 0; n < KINDS * PAIRS && tries < 1000 * PAIRS; tries++)
	{
		int			i = ssdpar_probe_below(probing, count);
		int			j = tries % 2 == 0 ? i + degree :
			ssdpar_probe_below(probing, count);
		int			offset = ssdpar_probe_below(probing, layout->fit.chunk);
		int			kind;

		if (j >= count || i == j)
			continue;
		kind = kind_of(order, i, j, degree);
		if (kind == KINDS || found[kind] == PAIRS)
			continue;
		found[kind]++;
		pairs[n++] = (ProbePair)
		{
			ssdpar_probe_unit_at(layout, order[i], offset),
				ssdpar_probe_unit_at(layout, order[j], offset), kind, 0
		};
	}
	return n == KINDS * PAIRS;
}

/* Decides by the fractions, if they are clear. */
static void
decide(const double *share, ProbeMapping *mapping, double *confidence)
{
	bool		order = share[BY_ORDER] > share[BY_ADDRESS];
	double		yes = order ? share[BY_ORDER] : share[BY_ADDRESS];
	double		no = order ? share[BY_ADDRESS] : share[BY_ORDER];

	*confidence = fmin(yes, 1 - fmax(no, share[BY_NEITHER]));
	*mapping = *confidence < SURE ? PROBE_MAPPING_UNKNOWN
		: order ? PROBE_MAPPING_ORDER : PROBE_MAPPING_STATIC;
}

static bool
compare(ProbeProbing *probing, const ProbeLayout *layout, const int *order,
		int count, int visits, ProbeMapping *mapping, double *confidence)
{
	ProbePair	pairs[KINDS * PAIRS];
	double		share[KINDS];

	/* too few chunks to decide: remains unknown */
	if (!choose_pairs(probing, layout, order, count, pairs))
		return true;
	if (!ssdpar_probe_time_pairs(probing, pairs, KINDS * PAIRS,
								 PROBE_INSIDE_UNIT, visits, "comparing"))
		return false;
	for (int kind = 0; kind < KINDS; kind++)
		share[kind] = ssdpar_probe_share_together(&layout->fit, pairs,
												  KINDS * PAIRS, kind);
	decide(share, mapping, confidence);
	return true;
}

bool
ssdpar_probe_find_mapping(ProbeProbing *probing, const ProbeLayout *layout,
						  int visits, ProbeMapping *mapping,
						  double *confidence)
{
	int			count = count_chunks(layout);
	int		   *order = calloc((size_t) count, sizeof(int));
	bool		good = order != NULL;

	*mapping = PROBE_MAPPING_UNKNOWN;
	*confidence = 0;
	if (good)
	{
		ssdpar_probe_shuffle(order, 0, count,
							 ssdpar_probe_random(&probing->random));
		good = overwrite(probing, layout, order, count) &&
			compare(probing, layout, order, count, visits, mapping,
					confidence);
	}
	free(order);
	return good;
}
