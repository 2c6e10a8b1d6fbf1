/*
 * posterior.h
 *		What to expect where a sample and an estimate say different things.
 */
#ifndef SSDPAR_POSTERIOR_H
#define SSDPAR_POSTERIOR_H

#include <math.h>

/* A bound is so many rows of the sample in which none was found. */
#define SSDPAR_ROWS_UNFOUND 3.0

/* Rows of a sample that core's statistics are worth: of a join, of a table. */
#define SSDPAR_JOIN_WORTH 0.7
#define SSDPAR_TABLE_WORTH 10.0

/*
 * With 95 % certainty a sample in which so many rows were found should have
 * had at least this share of them: a bound of Poisson's distribution, by Wilson
 * and Hilferty's approximation.
 */
static inline double
ssdpar_least_share_found(double found)
{
	double		root = 1.0 - 1.0 / (9.0 * found) - 1.645 / (3.0 * sqrt(found));

	return root <= 0.0 ? 0.0 : root * root * root;
}

/*
 * Rows, or a share of them: measured by so many rows that were found; with none
 * measured is a bound.  assumed is the mean of what may be, before the sample
 * is looked at, by a gamma distribution as sure as a sample of so many rows
 * (worth) would be; the result is the mean after it.  With no row found it
 * falls the further below what was assumed the more rows should have been found
 * by that.
 *
 * The distribution has next to nothing beyond some times its mean, but an
 * estimate of one row for a hundred thousand is nothing strange.  So where that
 * mean is less than what the rows found prove by themselves, what was assumed
 * is refuted, and what was measured counts alone.
 */
static inline double
ssdpar_posterior(double assumed, double worth, double measured, double found)
{
	double		a_row = measured /
		(found > 0.0 ? found : SSDPAR_ROWS_UNFOUND);
	double		mean;

	if (assumed <= 0.0 || a_row <= 0.0)
		return measured;
	mean = (worth + found) / (worth / assumed + 1.0 / a_row);
	return found > 0.0 && mean < measured * ssdpar_least_share_found(found) ?
		measured : mean;
}

/*
 * What to plan with: what is assumed stays where a sample so small cannot tell
 * it from its own number, by two standard deviations of the rows found.
 */
static inline double
ssdpar_corrected(double assumed, double worth, double measured, double found)
{
	double		error = 1.0 + 2.0 / sqrt(found > 1.0 ? found : 1.0);

	if (found > 0.0 && assumed <= measured * error &&
		measured <= assumed * error)
		return assumed;
	return ssdpar_posterior(assumed, worth, measured, found);
}

#endif							/* SSDPAR_POSTERIOR_H */
