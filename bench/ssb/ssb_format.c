/*
 * ssb_format.c
 *		Writes rows as text, quickly: no printf, two digits at a time, dates
 *		and words copied whole.
 */
#include "ssb_format.h"

#include <assert.h>
#include <string.h>

#define PIECE_SIZE (128 * 1024)

static const char digit_pairs[201] =
	"00010203040506070809101112131415161718192021222324"
	"25262728293031323334353637383940414243444546474849"
	"50515253545556575859606162636465666768697071727374"
	"75767778798081828384858687888990919293949596979899";

char *
ssb_put_uint(char *p, uint32_t value)
{
	char		digits[10];
	unsigned	at = sizeof(digits);

	while (value >= 100)
	{
		at -= 2;
		memcpy(digits + at, digit_pairs + value % 100 * 2, 2);
		value /= 100;
	}
	if (value >= 10)
	{
		at -= 2;
		memcpy(digits + at, digit_pairs + value * 2, 2);
	}
	else
		digits[--at] = (char) ('0' + value);
	memcpy(p, digits + at, sizeof(digits) - at);
	return p + sizeof(digits) - at;
}

/* Nine digits with leading zeros, as in names of customers. */
static char *
put_nine(char *p, uint32_t value)
{
	for (int place = 8; place >= 0; place--, value /= 10)
		p[place] = (char) ('0' + value % 10);
	return p + 9;
}

static char *
put_word(char *p, SsbWord word)
{
	memcpy(p, word.text, word.length);
	return p + word.length;
}

static char *
put_number(char *p, char sep, int32_t value)
{
	p = ssb_put_uint(p, (uint32_t) value);
	*p++ = sep;
	return p;
}

static char *
put_column(char *p, char sep, SsbWord word)
{
	p = put_word(p, word);
	*p++ = sep;
	return p;
}

static char *
put_datekey(char *p, char sep, const SsbGen *gen, uint32_t day)
{
	memcpy(p, gen->datetexts[day], 8);
	p[8] = sep;
	return p + 9;
}

/* Replaces the separator after the last column by the end of the line. */
static char *
end_row(char *p, SsbStyle style)
{
	if (style == SSB_COPY)
		p--;
	*p++ = '\n';
	return p;
}

static char *
put_line(char *p, char sep, const SsbGen *gen, const SsbOrder *order,
		 const SsbLine *line)
{
	p = put_number(p, sep, line->partkey);
	p = put_number(p, sep, line->suppkey);
	p = put_datekey(p, sep, gen, order->day);
	p = put_column(p, sep, ssb_priorities[order->priority]);
	p = put_number(p, sep, 0);	/* ship priority: always 0 in TPC-H, too */
	p = put_number(p, sep, line->quantity);
	p = put_number(p, sep, line->extendedprice);
	p = put_number(p, sep, order->totalprice);
	p = put_number(p, sep, line->discount);
	p = put_number(p, sep, line->revenue);
	p = put_number(p, sep, line->supplycost);
	p = put_number(p, sep, line->tax);
	p = put_datekey(p, sep, gen, line->commit_day);
	return put_column(p, sep, ssb_shipmodes[line->shipmode]);
}

static char *
put_order(char *p, char sep, SsbStyle style, const SsbGen *gen,
		  const SsbOrder *order)
{
	for (int i = 0; i < order->nlines; i++)
	{
		p = put_number(p, sep, order->key);
		p = put_number(p, sep, i + 1);
		p = put_number(p, sep, order->custkey);
		p = put_line(p, sep, gen, order, &order->lines[i]);
		p = end_row(p, style);
	}
	return p;
}

/* First nine characters of the nation, padded with blanks, and a digit. */
static char *
put_city(char *p, SsbPlace place)
{
	SsbWord		nation = ssb_nations[place.nation];

	memset(p, ' ', 9);
	memcpy(p, nation.text, nation.length < 9 ? nation.length : 9);
	p[9] = (char) ('0' + place.city);
	return p + 10;
}

static char *
put_phone(char *p, const SsbParty *party)
{
	p = ssb_put_uint(p, 10U + party->place.nation);
	for (int i = 0; i < 3; i++)
	{
		*p++ = '-';
		p = ssb_put_uint(p, party->phone[i]);
	}
	return p;
}

static char *
put_party(char *p, char sep, SsbWord name, const SsbParty *party)
{
	p = put_number(p, sep, party->key);
	p = put_word(p, name);
	p = put_nine(p, (uint32_t) party->key);
	*p++ = sep;
	memcpy(p, party->address, party->address_length);
	p += party->address_length;
	*p++ = sep;
	p = put_city(p, party->place);
	*p++ = sep;
	p = put_column(p, sep, ssb_nations[party->place.nation]);
	p = put_column(p, sep, ssb_regions[party->place.region]);
	p = put_phone(p, party);
	*p++ = sep;
	return p;
}

/* Manufacturer, category and brand: each the previous one and a number. */
static char *
put_brand(char *p, char sep, const SsbPart *part)
{
	char		name[16] = "MFGR#";
	size_t		length;

	name[5] = (char) ('0' + part->mfgr);
	name[6] = (char) ('0' + part->category);
	length = (size_t) (ssb_put_uint(name + 7, part->brand) - name);
	p = put_column(p, sep, (SsbWord) {name, 6});
	p = put_column(p, sep, (SsbWord) {name, 7});
	return put_column(p, sep, (SsbWord) {name, (uint8_t) length});
}

static char *
put_part(char *p, char sep, const SsbPart *part)
{
	p = put_number(p, sep, part->key);
	p = put_column(p, ' ', ssb_colors[part->name[0]]);
	p = put_column(p, sep, ssb_colors[part->name[1]]);
	p = put_brand(p, sep, part);
	p = put_column(p, sep, ssb_colors[part->color]);
	p = put_column(p, ' ', ssb_type_sizes[part->type / 25]);
	p = put_column(p, ' ', ssb_type_finishes[part->type / 5 % 5]);
	p = put_column(p, sep, ssb_type_metals[part->type % 5]);
	p = put_number(p, sep, part->size);
	p = put_column(p, ' ', ssb_container_sizes[part->container / 8]);
	return put_column(p, sep, ssb_container_kinds[part->container % 8]);
}

static char *
put_flag(char *p, char sep, bool flag)
{
	*p++ = flag ? '1' : '0';
	*p++ = sep;
	return p;
}

static char *
put_day(char *p, char sep, const SsbDay *day)
{
	SsbWord		month = ssb_months[day->month - 1];

	p = put_number(p, sep, day->datekey);
	p = put_column(p, ' ', month);
	p = put_number(p, ',', day->day);
	*p++ = ' ';
	p = put_number(p, sep, day->year);
	p = put_column(p, sep, ssb_weekdays[day->weekday - 1]);
	p = put_column(p, sep, month);
	p = put_number(p, sep, day->year);
	p = put_number(p, sep, day->datekey / 100);
	p = put_word(p, (SsbWord) {month.text, 3});
	p = put_number(p, sep, day->year);
	p = put_number(p, sep, day->weekday);
	p = put_number(p, sep, day->day);
	p = put_number(p, sep, day->yearday);
	p = put_number(p, sep, day->month);
	p = put_number(p, sep, day->week);
	p = put_column(p, sep, day->season);
	p = put_flag(p, sep, day->last_in_week);
	p = put_flag(p, sep, day->last_in_month);
	p = put_flag(p, sep, day->holiday);
	return put_flag(p, sep, day->workday);
}

static char *
put_dimension(char *p, char sep, const SsbGen *gen, SsbTable table,
			  uint32_t row)
{
	SsbParty	party;
	SsbPart		part;
	SsbDay		day;

	switch (table)
	{
		case SSB_CUSTOMER:
			ssb_make_party(gen, table, row, &party);
			p = put_party(p, sep, (SsbWord) {"Customer#", 9}, &party);
			return put_column(p, sep, ssb_segments[party.segment]);
		case SSB_SUPPLIER:
			ssb_make_party(gen, table, row, &party);
			return put_party(p, sep, (SsbWord) {"Supplier#", 9}, &party);
		case SSB_PART:
			ssb_make_part(gen, row, &part);
			return put_part(p, sep, &part);
		case SSB_DATE:
			ssb_make_day((int) row, &day);
			return put_day(p, sep, &day);
		case SSB_LINEORDER:
			break;
	}
	assert(false);
	return p;
}

char *
ssb_put_unit(char *p, SsbStyle style, const SsbGen *gen, SsbTable table,
			 uint32_t row, uint64_t *rows)
{
	char		sep = style == SSB_COPY ? '\t' : '|';
	SsbOrder	order;

	if (table != SSB_LINEORDER)
	{
		*rows += 1;
		return end_row(put_dimension(p, sep, gen, table, row), style);
	}
	ssb_make_order(gen, row, &order);
	*rows += order.nlines;
	return put_order(p, sep, style, gen, &order);
}

bool
ssb_emit(const SsbGen *gen, SsbStyle style, SsbTable table, uint32_t first,
		 uint32_t last, SsbSink sink, void *arg)
{
	char		piece[PIECE_SIZE];

	while (first < last)
	{
		char	   *p = piece;
		uint64_t	rows = 0;
		uint32_t	units = 0;

		while (first + units < last &&
			   p <= piece + PIECE_SIZE - SSB_UNIT_MAX)
		{
			p = ssb_put_unit(p, style, gen, table, first + units, &rows);
			units++;
		}
		if (!sink(arg, piece, (size_t) (p - piece), units, rows))
			return false;
		first += units;
	}
	return true;
}
