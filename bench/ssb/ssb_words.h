/*
 * ssb_words.h
 *		The fixed vocabularies of the benchmark: nations, colors, ship modes
 *		and so on, with the values of the reference tool's dists.dss.
 */
#ifndef SSB_WORDS_H
#define SSB_WORDS_H

#include <stdint.h>

/* A word with its length, because rows are assembled by memcpy. */
typedef struct SsbWord
{
	const char *text;
	uint8_t		length;
} SsbWord;

#define SSB_NREGIONS 5
#define SSB_NATIONS_PER_REGION 5
#define SSB_NNATIONS 25
#define SSB_CITIES_PER_NATION 10
#define SSB_NCITIES 250
#define SSB_NSEGMENTS 5
#define SSB_NPRIORITIES 5
#define SSB_NSHIPMODES 7
#define SSB_NCOLORS 92
#define SSB_NTYPES 150
#define SSB_NCONTAINERS 40
#define SSB_NMFGRS 5
#define SSB_CATEGORIES_PER_MFGR 5
#define SSB_BRANDS_PER_CATEGORY 40
#define SSB_NSIZES 50

extern const SsbWord ssb_regions[SSB_NREGIONS];
extern const SsbWord ssb_nations[SSB_NNATIONS];

/* The nations of each region, as indexes into ssb_nations. */
extern const uint8_t
			ssb_region_nations[SSB_NREGIONS][SSB_NATIONS_PER_REGION];
extern const SsbWord ssb_segments[SSB_NSEGMENTS];
extern const SsbWord ssb_priorities[SSB_NPRIORITIES];
extern const SsbWord ssb_shipmodes[SSB_NSHIPMODES];
extern const SsbWord ssb_colors[SSB_NCOLORS];

/* A part's type has one word of each list, and so has a container. */
extern const SsbWord ssb_type_sizes[6];
extern const SsbWord ssb_type_finishes[5];
extern const SsbWord ssb_type_metals[5];
extern const SsbWord ssb_container_sizes[5];
extern const SsbWord ssb_container_kinds[8];

extern const SsbWord ssb_months[12];
extern const SsbWord ssb_weekdays[7];	/* from Sunday */

#endif							/* SSB_WORDS_H */
