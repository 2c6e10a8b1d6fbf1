/*
 * large_table.h
 *		Decides from which size a table is planned by predicted time.
 */
#ifndef SSDPAR_LARGE_TABLE_H
#define SSDPAR_LARGE_TABLE_H

/*
 * Multiplies the PAGES of a table by the factor by which its device is slower
 * than the one that ssdpar.cost_model_min_size assumes.  Results may be added
 * up.
 */
extern double ssdpar_weighed_pages(Oid tablespace, double pages);

/* Is this number of weighted pages large? */
extern bool ssdpar_are_large(double weighed);

/* The same for one table. */
extern bool ssdpar_is_large_table(Oid tablespace, double pages);

/* Tables with fewer pages are not large on any device. */
extern double ssdpar_fewest_large_pages(void);

#endif							/* SSDPAR_LARGE_TABLE_H */
