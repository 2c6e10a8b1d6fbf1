/*
 * inside_layout.h
 *		Location of chunks in the probed range, and pairs that test the
 *		result.
 */
#ifndef SSDPAR_PROBE_INSIDE_LAYOUT_H
#define SSDPAR_PROBE_INSIDE_LAYOUT_H

#include "inside_fit.h"
#include "inside_pairs.h"

/* Complete, adjacent chunks; FIT's degree is that of the top level. */
typedef struct ProbeLayout
{
	ProbeFit	fit;
	uint64_t	start;			/* of the first complete chunk, in bytes */
	int			chunks;
} ProbeLayout;

/* Address of the unit at OFFSET in a chunk. */
static inline uint64_t
ssdpar_probe_unit_at(const ProbeLayout *layout, int chunk, int offset)
{
	return layout->start + ((uint64_t) chunk * (uint64_t) layout->fit.chunk +
							(uint64_t) offset) * PROBE_INSIDE_UNIT;
}

/* Returns another random chunk, AWAY domains further. */
extern int	ssdpar_probe_other_chunk(ProbeProbing *probing,
									 const ProbeLayout *layout, int chunk,
									 int away);

/*
 * Number of visits for which a pair's median is reliably on the correct side
 * of the middle.
 */
extern int	ssdpar_probe_visits_for(const ProbeFit *fit, int visits);

/* Fraction of the COUNT pairs of this KIND that seem to be in one domain. */
extern double ssdpar_probe_share_together(const ProbeFit *fit,
										  const ProbePair *pairs, int count,
										  int kind);

/*
 * Does FIT also predict new pairs, anywhere in LAYOUT?  CONFIDENCE is the
 * fraction predicted correctly, of those together or of those apart, whichever
 * is smaller; 0 if chunks are smaller than a unit.
 */
extern bool ssdpar_probe_check_layout(ProbeProbing *probing,
									  const ProbeLayout *layout, int visits,
									  double *confidence);

/*
 * Could domains be parts of larger ones?  SINGLE is set if pairs that would
 * share one of these take no longer than others.
 */
extern bool ssdpar_probe_check_degree(ProbeProbing *probing,
									  const ProbeLayout *layout, bool *single);

/*
 * Overwrites each chunk once in random order, and determines whether pairs
 * behave as before or according to the order of writes.
 */
extern bool ssdpar_probe_find_mapping(ProbeProbing *probing,
									  const ProbeLayout *layout, int visits,
									  ProbeMapping *mapping,
									  double *confidence);

#endif							/* SSDPAR_PROBE_INSIDE_LAYOUT_H */
