/*
 * inside_layout.h
 *		Where chunks lie in what is probed, and pairs that test what was found.
 */
#ifndef SSDPAR_PROBE_INSIDE_LAYOUT_H
#define SSDPAR_PROBE_INSIDE_LAYOUT_H

#include "inside_fit.h"
#include "inside_pairs.h"

/* Whole chunks behind one another; FIT's degree is that of the top level. */
typedef struct ProbeLayout
{
	ProbeFit	fit;
	uint64_t	start;			/* bytes: of the first whole chunk */
	int			chunks;
} ProbeLayout;

/* The unit at OFFSET in a chunk. */
static inline uint64_t
ssdpar_probe_unit_at(const ProbeLayout *layout, int chunk, int offset)
{
	return layout->start + ((uint64_t) chunk * (uint64_t) layout->fit.chunk +
							(uint64_t) offset) * PROBE_INSIDE_UNIT;
}

/* Another chunk than that, anywhere, AWAY domains further. */
extern int	ssdpar_probe_other_chunk(ProbeProbing *probing,
									 const ProbeLayout *layout, int chunk,
									 int away);

/* Enough visits for a pair's median to be on the right side of the middle. */
extern int	ssdpar_probe_visits_for(const ProbeFit *fit, int visits);

/* Of COUNT pairs of that KIND, the share that looks as if in one domain. */
extern double ssdpar_probe_share_together(const ProbeFit *fit,
										  const ProbePair *pairs, int count,
										  int kind);

/*
 * Does FIT tell new pairs, anywhere in LAYOUT, as well?  CONFIDENCE is the
 * share that it told right, of those together or of those apart, whichever is
 * less; 0 if chunks are smaller than a unit.
 */
extern bool ssdpar_probe_check_layout(ProbeProbing *probing,
									  const ProbeLayout *layout, int visits,
									  double *confidence);

/*
 * Could domains be parts of larger ones after all?  SINGLE is set if pairs that
 * would be in one of these take no longer than others.
 */
extern bool ssdpar_probe_check_degree(ProbeProbing *probing,
									  const ProbeLayout *layout, bool *single);

/*
 * Overwrite the chunks by chance, each once, and see whether pairs are as
 * before or as the order of writes has it.
 */
extern bool ssdpar_probe_find_mapping(ProbeProbing *probing,
									  const ProbeLayout *layout, int visits,
									  ProbeMapping *mapping,
									  double *confidence);

#endif							/* SSDPAR_PROBE_INSIDE_LAYOUT_H */
