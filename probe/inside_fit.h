/*
 * inside_fit.h
 *		Which chunks and domains times of pairs are explained by.  Pure
 *		arithmetic.
 */
#ifndef SSDPAR_PROBE_INSIDE_FIT_H
#define SSDPAR_PROBE_INSIDE_FIT_H

#include <stdbool.h>

/*
 * Units of one size, the first one the anchor's.  A unit that lies I units
 * after the anchor is in chunk (I + PHASE) / CHUNK, counted from the anchor's,
 * and shares its domain if DEGREE divides that number.
 */
typedef struct ProbeFit
{
	int			chunk;			/* units */
	int			degree;
	int			phase;			/* of the anchor in its chunk, units */
	double		score;			/* F1 of what the fit says is together */
	bool		clear;			/* nothing speaks for another degree */
	double		apart;			/* times of pairs in two domains, */
	double		together;		/* and in one */
	double		noise;			/* standard deviation of those apart */
} ProbeFit;

/* Below this a pattern is not there; above the other it is. */
#define PROBE_FIT_NONE 0.8
#define PROBE_FIT_GOOD 0.97

/*
 * The best fit to TIMES[1 .. COUNT - 1], each of the anchor and the unit so far
 * after it.  False if memory ran out.  FIT's score tells how good it is.
 *
 * Domains that single times tell apart may themselves share something that
 * costs little, as dies share a channel.  These larger domains are the ones
 * that count, if all times together show them.
 */
extern bool ssdpar_probe_fit(const double *times, int count, ProbeFit *fit);

/*
 * Domains of which each of FIT's is made, if pairs in one of these take longer
 * still; 0 if that does not show.  False if memory ran out.
 */
extern bool ssdpar_probe_subdomains(const double *times, int count,
									const ProbeFit *fit, int *subdomains);

/* How many domains a unit is away from the anchor's: 0 is the same one. */
static inline int
ssdpar_probe_fit_domain(const ProbeFit *fit, int unit)
{
	return (unit + fit->phase) / fit->chunk % fit->degree;
}

#endif							/* SSDPAR_PROBE_INSIDE_FIT_H */
