/*
 * ssb_gen.c
 *		Generates the rows: the source of each column.
 *
 * The dimension columns used in filters are dealt, not drawn: as with a
 * shuffled pack of cards, every value occurs as often as any other (plus or
 * minus one), in an order that depends on the seed.  2,000 independent draws
 * would put 8 +- 2.8 suppliers in a city, and a query's number of rows would
 * show that luck instead of the specification's filter factors.  The fact
 * table's columns are drawn independently, because six million draws are
 * enough.
 */
#include "ssb_gen.h"

#include "ssb_random.h"

/* The purpose of each draw of a row.  Changing a number changes all data. */
enum
{
	DRAW_ADDRESS_LENGTH,
	DRAW_PHONE,					/* three draws */
	DRAW_ADDRESS = 8,			/* one draw per character */
};

enum
{
	DRAW_NAME1,
	DRAW_NAME2,
};

enum
{
	DRAW_CUSTOMER,
	DRAW_DAY,
	DRAW_PRIORITY,
	DRAW_NLINES,
	DRAW_LINES = 8,				/* DRAWS_PER_LINE per line */
};

enum
{
	DRAW_PART,
	DRAW_SUPPLIER,
	DRAW_QUANTITY,
	DRAW_DISCOUNT,
	DRAW_TAX,
	DRAW_COMMIT,
	DRAW_SHIPMODE,
	DRAWS_PER_LINE = 8,
};

/* Packs of cards. */
enum
{
	DEAL_CITY,
	DEAL_SEGMENT,
	DEAL_BRAND,
	DEAL_COLOR,
	DEAL_TYPE,
	DEAL_SIZE,
	DEAL_CONTAINER,
	DEAL_FIRST_NATION,
	DEAL_FIRST_CITY,
	DEALS_PER_TABLE = 16,
};

static void
fill_dates(SsbGen *gen)
{
	for (int i = 0; i < SSB_DAYS; i++)
	{
		SsbDay		day;
		int32_t		rest;

		ssb_make_day(i, &day);
		gen->datekeys[i] = rest = day.datekey;
		for (int place = 7; place >= 0; place--, rest /= 10)
			gen->datetexts[i][place] = (char) ('0' + rest % 10);
	}
}

bool
ssb_gen_init(SsbGen *gen, SsbScale scale, uint64_t seed, SsbError *error)
{
	if (!ssb_sizes(scale, &gen->sizes, error))
		return false;
	for (int i = 0; i < SSB_NTABLES; i++)
		gen->table_keys[i] = ssb_subkey(seed, (uint64_t) i + 1);
	gen->deal_key = ssb_subkey(seed, SSB_NTABLES + 1);
	fill_dates(gen);
	return true;
}

static uint64_t
deal_key(const SsbGen *gen, SsbTable table, uint32_t deal)
{
	return ssb_subkey(gen->deal_key,
					  (uint64_t) table * DEALS_PER_TABLE + deal);
}

/* The card of this row: a number below the table's row count. */
static uint32_t
deal_card(const SsbGen *gen, SsbTable table, uint32_t deal, uint32_t row)
{
	return ssb_permute(deal_key(gen, table, deal), gen->sizes.units[table],
					   row);
}

/*
 * Card c goes to region c mod 5, then cycles through the region's nations,
 * then through the nation's cities, so that all three stay even with any
 * number of cards.  The start of each cycle depends on the seed, because
 * otherwise a table of twenty suppliers would only have cities ending in 0.
 */
static void
deal_place(const SsbGen *gen, SsbTable table, uint32_t row, SsbPlace *place)
{
	uint32_t	card = deal_card(gen, table, DEAL_CITY, row);
	uint32_t	region = card % SSB_NREGIONS;
	uint32_t	nation = card / SSB_NREGIONS;
	uint32_t	city = nation / SSB_NATIONS_PER_REGION;

	nation += ssb_draw(deal_key(gen, table, DEAL_FIRST_NATION), region,
					   SSB_NATIONS_PER_REGION);
	place->region = (uint8_t) region;
	place->nation =
		ssb_region_nations[region][nation % SSB_NATIONS_PER_REGION];
	city += ssb_draw(deal_key(gen, table, DEAL_FIRST_CITY), place->nation,
					 SSB_CITIES_PER_NATION);
	place->city = (uint8_t) (city % SSB_CITIES_PER_NATION);
}

void
ssb_make_party(const SsbGen *gen, SsbTable table, uint32_t row,
			   SsbParty *party)
{
	static const char alphabet[] = "0123456789abcdefghijklmnopqrstuvwxyz "
		"ABCDEFGHIJKLMNOPQRSTUVWXYZ,";
	uint64_t	key = ssb_subkey(gen->table_keys[table], row);

	party->key = (int32_t) row + 1;
	deal_place(gen, table, row, &party->place);
	party->segment = (uint8_t) (deal_card(gen, table, DEAL_SEGMENT, row) %
								SSB_NSEGMENTS);
	/* 6 to 24 characters: 0.4 to 1.6 times 15, as in the reference tool. */
	party->address_length =
		(uint8_t) (6 + ssb_draw(key, DRAW_ADDRESS_LENGTH, 19));
	for (uint32_t i = 0; i < party->address_length; i++)
		party->address[i] = alphabet[ssb_draw(key, DRAW_ADDRESS + i, 64)];
	party->phone[0] = (uint16_t) (100 + ssb_draw(key, DRAW_PHONE, 900));
	party->phone[1] = (uint16_t) (100 + ssb_draw(key, DRAW_PHONE + 1, 900));
	party->phone[2] = (uint16_t) (1000 + ssb_draw(key, DRAW_PHONE + 2, 9000));
}

/* Two colors that differ from each other and from the part's own. */
static void
draw_name(uint64_t key, SsbPart *part)
{
	uint32_t	first = ssb_draw(key, DRAW_NAME1, SSB_NCOLORS - 1);
	uint32_t	second = ssb_draw(key, DRAW_NAME2, SSB_NCOLORS - 2);
	uint32_t	low;
	uint32_t	high;

	if (first >= part->color)
		first++;
	low = first < part->color ? first : part->color;
	high = first < part->color ? part->color : first;
	if (second >= low)
		second++;
	if (second >= high)
		second++;
	part->name[0] = (uint8_t) first;
	part->name[1] = (uint8_t) second;
}

void
ssb_make_part(const SsbGen *gen, uint32_t row, SsbPart *part)
{
	uint32_t	brand = deal_card(gen, SSB_PART, DEAL_BRAND, row);
	uint64_t	key = ssb_subkey(gen->table_keys[SSB_PART], row);

	part->key = (int32_t) row + 1;
	part->mfgr = (uint8_t) (1 + brand % SSB_NMFGRS);
	brand /= SSB_NMFGRS;
	part->category = (uint8_t) (1 + brand % SSB_CATEGORIES_PER_MFGR);
	brand /= SSB_CATEGORIES_PER_MFGR;
	part->brand = (uint8_t) (1 + brand % SSB_BRANDS_PER_CATEGORY);
	part->color = (uint8_t) (deal_card(gen, SSB_PART, DEAL_COLOR, row) %
							 SSB_NCOLORS);
	part->type = (uint8_t) (deal_card(gen, SSB_PART, DEAL_TYPE, row) %
							SSB_NTYPES);
	part->size = (uint8_t) (1 + deal_card(gen, SSB_PART, DEAL_SIZE, row) %
							SSB_NSIZES);
	part->container =
		(uint8_t) (deal_card(gen, SSB_PART, DEAL_CONTAINER, row) %
				   SSB_NCONTAINERS);
	draw_name(key, part);
}

int32_t
ssb_part_price(int32_t partkey)
{
	return 90000 + (partkey / 10) % 20001 + (partkey % 1000) * 100;
}

/*
 * The greatest product, 50 x 209,900 cents x 100, is below 2^31, and so is the
 * sum of seven lines with tax; still, both are stored in 64 bits.
 */
static void
price_line(SsbLine *line)
{
	int32_t		price = ssb_part_price(line->partkey);
	int64_t		extended = (int64_t) price * line->quantity;

	line->extendedprice = (int32_t) extended;
	line->revenue = (int32_t) (extended * (100 - line->discount) / 100);
	line->supplycost = 6 * price / 10;
}

/* Promised 30 to 90 days after the order, or on the calendar's last day. */
static uint16_t
draw_commit_day(uint64_t key, uint32_t draw, uint32_t order_day)
{
	uint32_t	day = order_day + 30 + ssb_draw(key, draw, 61);

	return (uint16_t) (day < SSB_DAYS ? day : SSB_DAYS - 1);
}

static void
draw_line(const SsbGen *gen, uint64_t key, uint32_t draw, uint32_t order_day,
		  SsbLine *line)
{
	const uint32_t *units = gen->sizes.units;

	line->partkey =
		1 + (int32_t) ssb_draw(key, draw + DRAW_PART, units[SSB_PART]);
	line->suppkey = 1 + (int32_t) ssb_draw(key, draw + DRAW_SUPPLIER,
										   units[SSB_SUPPLIER]);
	line->quantity = (uint8_t) (1 + ssb_draw(key, draw + DRAW_QUANTITY, 50));
	line->discount = (uint8_t) ssb_draw(key, draw + DRAW_DISCOUNT, 11);
	line->tax = (uint8_t) ssb_draw(key, draw + DRAW_TAX, 9);
	line->commit_day = draw_commit_day(key, draw + DRAW_COMMIT, order_day);
	line->shipmode =
		(uint8_t) ssb_draw(key, draw + DRAW_SHIPMODE, SSB_NSHIPMODES);
	price_line(line);
}

void
ssb_make_order(const SsbGen *gen, uint32_t row, SsbOrder *order)
{
	uint64_t	key = ssb_subkey(gen->table_keys[SSB_LINEORDER], row);
	int64_t		total = 0;

	order->key = (int32_t) ssb_order_key(row + 1);
	order->custkey = 1 + (int32_t) ssb_draw(key, DRAW_CUSTOMER,
											gen->sizes.units[SSB_CUSTOMER]);
	order->day = (uint16_t) ssb_draw(key, DRAW_DAY, SSB_DAYS);
	order->priority =
		(uint8_t) ssb_draw(key, DRAW_PRIORITY, SSB_NPRIORITIES);
	order->nlines = (uint8_t) (1 + ssb_draw(key, DRAW_NLINES, SSB_MAX_LINES));
	for (uint32_t i = 0; i < order->nlines; i++)
	{
		SsbLine    *line = &order->lines[i];

		draw_line(gen, key, DRAW_LINES + i * DRAWS_PER_LINE, order->day,
				  line);
		total += (int64_t) line->revenue * (100 + line->tax) / 100;
	}
	order->totalprice = (int32_t) total;
}
