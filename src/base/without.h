/*
 * without.h
 *		A developer's switch for each feature that has no setting.
 *
 * It exists only for ./run bench ablation, until its table has decided which
 * features stay.  ssdpar.without lists features, and each checks it on entry.
 */
#ifndef SSDPAR_WITHOUT_H
#define SSDPAR_WITHOUT_H

/* In the order of without_names in settings.c. */
typedef enum SsdparFeature
{
	SSDPAR_STAR_BY_BITMAP,
	SSDPAR_STAR_IN_SEQUENCE,
	SSDPAR_STAR_JOINS,
	SSDPAR_STAR_COLUMNS,
	SSDPAR_SCAN_PRICES,
	SSDPAR_LOOP_PRICES,
	SSDPAR_LOAD_OF_OTHERS,
	SSDPAR_SPLIT_IN_N,
	SSDPAR_NFEATURES
} SsdparFeature;

extern unsigned int ssdpar_without_features;	/* a bit each */

#define ssdpar_without(feature) \
	(unlikely((ssdpar_without_features & (1U << (feature))) != 0))

#endif							/* SSDPAR_WITHOUT_H */
