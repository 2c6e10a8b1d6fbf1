/*
 * ssb_factors.c
 *		Joins by array lookup and counts.  It computes no sums, because only
 *		the selection of rows matters here.
 */
#include "ssb_factors.h"

#include <stdlib.h>
#include <string.h>

/* Indexes into ssb_words.h of the values that queries name. */
enum
{
	AMERICA = 1,
	ASIA = 2,
	EUROPE = 3,
	UNITED_KINGDOM = 23,
	UNITED_STATES = 24,
};

/* One joined row. */
typedef struct Joined
{
	const SsbOrder *order;
	const SsbLine *line;
	const SsbDay *day;
	const SsbPlace *customer;
	const SsbPlace *supplier;
	const SsbPart *part;
} Joined;

typedef bool (*Predicate) (const Joined *row);

static bool
between(int value, int low, int high)
{
	return value >= low && value <= high;
}

static bool
in_brand_range(const SsbPart *part, int first, int last)
{
	return part->mfgr == 2 && part->category == 2 &&
		between(part->brand, first, last);
}

static bool
in_kingdom_pair(const SsbPlace *place)
{
	return place->nation == UNITED_KINGDOM &&
		(place->city == 1 || place->city == 5);
}

static bool
q0(const Joined *row)
{
	return row->line != NULL;
}

static bool
q1_1(const Joined *row)
{
	return row->day->year == 1993 && between(row->line->discount, 1, 3) &&
		row->line->quantity < 25;
}

static bool
q1_2(const Joined *row)
{
	return row->day->year == 1994 && row->day->month == 1 &&
		between(row->line->discount, 4, 6) &&
		between(row->line->quantity, 26, 35);
}

static bool
q1_2n(const Joined *row)
{
	return q1_2(row) && row->day->week == 1;
}

static bool
q1_3(const Joined *row)
{
	return row->day->year == 1994 && row->day->week == 6 &&
		between(row->line->discount, 5, 7) &&
		between(row->line->quantity, 36, 40);
}

static bool
q2_1(const Joined *row)
{
	return row->part->mfgr == 1 && row->part->category == 2 &&
		row->supplier->region == AMERICA;
}

static bool
q2_2(const Joined *row)
{
	return in_brand_range(row->part, 21, 28) &&
		row->supplier->region == ASIA;
}

static bool
q2_3(const Joined *row)
{
	return in_brand_range(row->part, 39, 39) &&
		row->supplier->region == EUROPE;
}

static bool
q3_1(const Joined *row)
{
	return row->customer->region == ASIA && row->supplier->region == ASIA &&
		between(row->day->year, 1992, 1997);
}

static bool
q3_2(const Joined *row)
{
	return row->customer->nation == UNITED_STATES &&
		row->supplier->nation == UNITED_STATES &&
		between(row->day->year, 1992, 1997);
}

static bool
q3_3(const Joined *row)
{
	return in_kingdom_pair(row->customer) && in_kingdom_pair(row->supplier) &&
		between(row->day->year, 1992, 1997);
}

static bool
q3_4(const Joined *row)
{
	return in_kingdom_pair(row->customer) && in_kingdom_pair(row->supplier) &&
		row->day->year == 1997 && row->day->month == 12;
}

static bool
q4_1(const Joined *row)
{
	return row->customer->region == AMERICA &&
		row->supplier->region == AMERICA && row->part->mfgr <= 2;
}

static bool
q4_2(const Joined *row)
{
	return q4_1(row) && between(row->day->year, 1997, 1998);
}

static bool
q4_3(const Joined *row)
{
	return row->customer->region == AMERICA &&
		row->supplier->nation == UNITED_STATES &&
		between(row->day->year, 1997, 1998) &&
		row->part->mfgr == 1 && row->part->category == 4;
}

const SsbQueryInfo ssb_queries[SSB_NQUERIES] = {
	{"0", 1.0},
	{"1.1", 1.0 / 7 * 1 / 2 * 3 / 11},
	{"1.2", 1.0 / 84 * 1 / 5 * 3 / 11},
	{"1.2n", 1.0 / 364 * 1 / 5 * 3 / 11},
	{"1.3", 1.0 / 364 * 1 / 10 * 3 / 11},
	{"2.1", 1.0 / 125},
	{"2.2", 1.0 / 625},
	{"2.3", 1.0 / 5000},
	{"3.1", 6.0 / 175},
	{"3.2", 6.0 / 4375},
	{"3.3", 6.0 / 109375},
	{"3.4", 1.0 / 1312500},
	{"4.1", 2.0 / 125},
	{"4.2", 4.0 / 875},
	{"4.3", 2.0 / 21875},
};

static const Predicate predicates[SSB_NQUERIES] = {
	q0, q1_1, q1_2, q1_2n, q1_3, q2_1, q2_2, q2_3,
	q3_1, q3_2, q3_3, q3_4, q4_1, q4_2, q4_3,
};

/* The dimensions, by key - 1. */
typedef struct Dimensions
{
	SsbPlace   *customers;
	SsbPlace   *suppliers;
	SsbPart    *parts;
	SsbDay	   *days;
} Dimensions;

static void
free_dimensions(Dimensions *dims)
{
	free(dims->customers);
	free(dims->suppliers);
	free(dims->parts);
	free(dims->days);
}

static void
fill_places(const SsbGen *gen, SsbTable table, SsbPlace *places)
{
	SsbParty	party;

	for (uint32_t i = 0; i < gen->sizes.units[table]; i++)
	{
		ssb_make_party(gen, table, i, &party);
		places[i] = party.place;
	}
}

static bool
make_dimensions(const SsbGen *gen, Dimensions *dims, SsbError *error)
{
	const uint32_t *units = gen->sizes.units;

	dims->customers = calloc(units[SSB_CUSTOMER], sizeof(SsbPlace));
	dims->suppliers = calloc(units[SSB_SUPPLIER], sizeof(SsbPlace));
	dims->parts = calloc(units[SSB_PART], sizeof(SsbPart));
	dims->days = calloc(units[SSB_DATE], sizeof(SsbDay));
	if (dims->customers == NULL || dims->suppliers == NULL ||
		dims->parts == NULL || dims->days == NULL)
	{
		free_dimensions(dims);
		return ssb_fail(error, "out of memory for the dimension tables: use "
						"a smaller scale");
	}
	fill_places(gen, SSB_CUSTOMER, dims->customers);
	fill_places(gen, SSB_SUPPLIER, dims->suppliers);
	for (uint32_t i = 0; i < units[SSB_PART]; i++)
		ssb_make_part(gen, i, &dims->parts[i]);
	for (uint32_t i = 0; i < units[SSB_DATE]; i++)
		ssb_make_day((int) i, &dims->days[i]);
	return true;
}

static void
count_order(const Dimensions *dims, const SsbOrder *order, SsbCounts *counts)
{
	Joined		row = {
		.order = order,
		.day = &dims->days[order->day],
		.customer = &dims->customers[order->custkey - 1],
	};

	for (int i = 0; i < order->nlines; i++)
	{
		row.line = &order->lines[i];
		row.supplier = &dims->suppliers[row.line->suppkey - 1];
		row.part = &dims->parts[row.line->partkey - 1];
		counts->rows++;
		for (int q = 0; q < SSB_NQUERIES; q++)
			counts->selected[q] += predicates[q] (&row);
	}
}

bool
ssb_count_factors(const SsbGen *gen, SsbCounts *counts, SsbError *error)
{
	Dimensions	dims;
	SsbOrder	order;

	if (!make_dimensions(gen, &dims, error))
		return false;
	memset(counts, 0, sizeof(*counts));
	for (uint32_t i = 0; i < gen->sizes.units[SSB_LINEORDER]; i++)
	{
		ssb_make_order(gen, i, &order);
		count_order(&dims, &order, counts);
	}
	free_dimensions(&dims);
	return true;
}
