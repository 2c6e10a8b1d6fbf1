/*
 * large_table.h
 *		From which size on a table is worth being planned by time.
 */
#ifndef SSDPAR_LARGE_TABLE_H
#define SSDPAR_LARGE_TABLE_H

/*
 * PAGES of a table, as many times as its device is slower than the one that
 * ssdpar.cost_model_min_size is said for.  May be added up.
 */
extern double ssdpar_weighed_pages(Oid tablespace, double pages);

/* Are that many, weighed, large? */
extern bool ssdpar_are_large(double weighed);

/* One table's. */
extern bool ssdpar_is_large_table(Oid tablespace, double pages);

/* Fewer pages are not large on any device. */
extern double ssdpar_fewest_large_pages(void);

#endif							/* SSDPAR_LARGE_TABLE_H */
