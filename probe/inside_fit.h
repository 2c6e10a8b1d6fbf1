/*
 * inside_fit.h
 *		Finds the chunks and domains that explain the times of pairs.  Pure
 *		arithmetic.
 */
#ifndef SSDPAR_PROBE_INSIDE_FIT_H
#define SSDPAR_PROBE_INSIDE_FIT_H

#include <stdbool.h>

/*
 * Units have the same size; the first one is the anchor.  A unit that is I
 * units after the anchor is in chunk (I + PHASE) / CHUNK, counted from the
 * anchor's, and is in its domain if DEGREE divides that number.
 */
typedef struct ProbeFit
{
	int			chunk;			/* units */
	int			degree;
	int			phase;			/* of the anchor in its chunk, units */
	double		score;			/* F1 of predicting pairs in one domain */
	bool		clear;			/* there is no evidence for another degree */
	double		apart;			/* times of pairs in two domains, */
	double		together;		/* and in one */
	double		noise;			/* standard deviation of those apart */
} ProbeFit;

/* Below the first there is no pattern, above the second there is. */
#define PROBE_FIT_NONE 0.8
#define PROBE_FIT_GOOD 0.97

/*
 * The best fit to TIMES[1 .. COUNT - 1], indexed by the unit's distance from
 * the anchor.  Returns false if memory ran out.  FIT's score is its quality.
 *
 * Domains that single times distinguish may themselves share a less expensive
 * resource, as dies share a channel.  If all times together show such larger
 * domains, these are returned.
 */
extern bool ssdpar_probe_fit(const double *times, int count, ProbeFit *fit);

/*
 * Number of domains of which each of FIT's consists, if pairs in one of these
 * take even longer; 0 if that is not visible.  Returns false if memory ran
 * out.
 */
extern bool ssdpar_probe_subdomains(const double *times, int count,
									const ProbeFit *fit, int *subdomains);

/* Distance in domains from the anchor's; 0 means the same one. */
static inline int
ssdpar_probe_fit_domain(const ProbeFit *fit, int unit)
{
	return (unit + fit->phase) / fit->chunk % fit->degree;
}

#endif							/* SSDPAR_PROBE_INSIDE_FIT_H */
