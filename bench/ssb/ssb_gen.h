/*
 * ssb_gen.h
 *		Generates the rows of the benchmark, as values: no text, no I/O, no
 *		memory allocation.
 *
 * Any row can be generated at any time by any thread, because a row depends
 * only on the seed, the scale and its number.
 */
#ifndef SSB_GEN_H
#define SSB_GEN_H

#include <stdint.h>

#include "ssb_calendar.h"
#include "ssb_tables.h"

#define SSB_MAX_LINES 7
#define SSB_ADDRESS_MAX 24

typedef struct SsbGen
{
	SsbSizes	sizes;
	uint64_t	table_keys[SSB_NTABLES];
	uint64_t	deal_key;
	int32_t		datekeys[SSB_DAYS];
	char		datetexts[SSB_DAYS][8]; /* the same as digits */
} SsbGen;

/* Where a customer or supplier lives; indexes into ssb_words.h. */
typedef struct SsbPlace
{
	uint8_t		region;
	uint8_t		nation;
	uint8_t		city;			/* digit 0 .. 9 within the nation */
} SsbPlace;

/* A customer or a supplier; segment is the customer's. */
typedef struct SsbParty
{
	int32_t		key;
	SsbPlace	place;
	uint8_t		segment;
	uint8_t		address_length;
	char		address[SSB_ADDRESS_MAX];
	uint16_t	phone[3];		/* after the nation's code */
} SsbParty;

typedef struct SsbPart
{
	int32_t		key;
	uint8_t		mfgr;			/* 1 .. 5 */
	uint8_t		category;		/* 1 .. 5 within the manufacturer */
	uint8_t		brand;			/* 1 .. 40 within the category */
	uint8_t		color;
	uint8_t		name[2];		/* two more, different colors */
	uint8_t		type;
	uint8_t		size;			/* 1 .. 50 */
	uint8_t		container;
} SsbPart;

/* Money in cents. */
typedef struct SsbLine
{
	int32_t		partkey;
	int32_t		suppkey;
	int32_t		extendedprice;
	int32_t		revenue;
	int32_t		supplycost;
	uint16_t	commit_day;		/* day number */
	uint8_t		quantity;
	uint8_t		discount;		/* percent */
	uint8_t		tax;			/* percent */
	uint8_t		shipmode;
} SsbLine;

typedef struct SsbOrder
{
	int32_t		key;
	int32_t		custkey;
	int32_t		totalprice;
	uint16_t	day;			/* day number of the order date */
	uint8_t		priority;
	uint8_t		nlines;
	SsbLine		lines[SSB_MAX_LINES];
} SsbOrder;

extern bool ssb_gen_init(SsbGen *gen, SsbScale scale, uint64_t seed,
						 SsbError *error);

/* Row numbers count from 0; keys from 1. */
extern void ssb_make_party(const SsbGen *gen, SsbTable table, uint32_t row,
						   SsbParty *party);
extern void ssb_make_part(const SsbGen *gen, uint32_t row, SsbPart *part);
extern void ssb_make_order(const SsbGen *gen, uint32_t row, SsbOrder *order);

/* The reference tool's price of a part, in cents. */
extern int32_t ssb_part_price(int32_t partkey);

#endif							/* SSB_GEN_H */
