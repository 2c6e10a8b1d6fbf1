/*
 * error_free_list.c
 *		What the server's own functions need so that they cannot raise an error.
 *
 * Leakproof functions cannot, or their error would tell what they were given.
 * But core marks few functions so, since a mark promises more than that: hardly
 * anything but comparisons of most types.  So here is a list of more, those
 * that filters of dimensions are made of.  Each group says why it stands there,
 * as its sources say from 15 to 18.
 *
 * Not on the list, so taken to raise: arithmetic that can overflow, casts from
 * text and to narrower types, regular expressions, to_char, to_date,
 * date_trunc, whatever extensions and users have written and not marked
 * leakproof.
 *
 * It is assumed that stored values are valid ones: texts in the database's
 * encoding, timestamps in their range.
 */
#include "postgres.h"

#include "utils/fmgroids.h"

#include "star/error_free_list.h"

typedef struct Listed
{
	Oid			function;
	SsdparNeed	need;
} Listed;

/* By reason here; in order of OID after the first look-up. */
static Listed listed[] = {
	/* Compare digit by digit, NaN and infinity included. */
	{F_NUMERIC_EQ, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_NE, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_LT, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_LE, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_GT, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_GE, SSDPAR_NEEDS_NOTHING},
	{F_NUMERIC_CMP, SSDPAR_NEEDS_NOTHING},

	/* Convert first; what overflows is greater, or less, than all. */
	{F_DATE_EQ_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_DATE_NE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_DATE_LT_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_DATE_LE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_DATE_GT_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_DATE_GE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_EQ_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_NE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_LT_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_LE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_GT_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_GE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_DATE_EQ_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_DATE_NE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_DATE_LT_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_DATE_LE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_DATE_GT_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_DATE_GE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_EQ_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_NE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_LT_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_LE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_GT_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_GE_DATE, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_EQ_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_NE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_LT_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_LE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_GT_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMP_GE_TIMESTAMPTZ, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_EQ_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_NE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_LT_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_LE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_GT_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_TIMESTAMPTZ_GE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},

	/* Compare OIDs; the order of enums is looked up, so it is not here. */
	{F_ENUM_EQ, SSDPAR_NEEDS_NOTHING},
	{F_ENUM_NE, SSDPAR_NEEDS_NOTHING},

	/* Bit by bit: no carry, so nothing can overflow. */
	{F_INT2AND, SSDPAR_NEEDS_NOTHING},
	{F_INT2OR, SSDPAR_NEEDS_NOTHING},
	{F_INT4AND, SSDPAR_NEEDS_NOTHING},
	{F_INT4OR, SSDPAR_NEEDS_NOTHING},
	{F_INT8AND, SSDPAR_NEEDS_NOTHING},
	{F_INT8OR, SSDPAR_NEEDS_NOTHING},

	/* Count, cut and trim what is there; bounds are clamped. */
	{F_LENGTH_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_LENGTH_BPCHAR, SSDPAR_NEEDS_NOTHING},
	{F_CHAR_LENGTH_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_CHAR_LENGTH_BPCHAR, SSDPAR_NEEDS_NOTHING},
	{F_CHARACTER_LENGTH_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_CHARACTER_LENGTH_BPCHAR, SSDPAR_NEEDS_NOTHING},
	{F_OCTET_LENGTH_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_OCTET_LENGTH_BPCHAR, SSDPAR_NEEDS_NOTHING},
	{F_SUBSTRING_TEXT_INT4, SSDPAR_NEEDS_NOTHING},
	{F_SUBSTR_TEXT_INT4, SSDPAR_NEEDS_NOTHING},
	{F_LEFT, SSDPAR_NEEDS_NOTHING},
	{F_RIGHT, SSDPAR_NEEDS_NOTHING},
	{F_BTRIM_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_BTRIM_TEXT_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_LTRIM_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_LTRIM_TEXT_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_RTRIM_TEXT, SSDPAR_NEEDS_NOTHING},
	{F_RTRIM_TEXT_TEXT, SSDPAR_NEEDS_NOTHING},

	/* Casts to text that copy, trim, or name one of two values. */
	{F_TEXT_BPCHAR, SSDPAR_NEEDS_NOTHING},
	{F_TEXT_CHAR, SSDPAR_NEEDS_NOTHING},
	{F_TEXT_BOOL, SSDPAR_NEEDS_NOTHING},

	/* Each timestamp is within the range of dates. */
	{F_DATE_TIMESTAMP, SSDPAR_NEEDS_NOTHING},

	/* Take no argument. */
	{F_NOW, SSDPAR_NEEDS_NOTHING},
	{F_TRANSACTION_TIMESTAMP, SSDPAR_NEEDS_NOTHING},
	{F_STATEMENT_TIMESTAMP, SSDPAR_NEEDS_NOTHING},

	/* Leakproof, but OpenSSL may refuse it. */
	{F_MD5_TEXT, SSDPAR_NEEDS_IMPOSSIBLE},
	{F_MD5_BYTEA, SSDPAR_NEEDS_IMPOSSIBLE},

	/* Look for equal bytes, which some collations do not go by. */
	{F_STARTS_WITH, SSDPAR_NEEDS_DETERMINISTIC},
	{F_STRPOS, SSDPAR_NEEDS_DETERMINISTIC},
	{F_POSITION_TEXT_TEXT, SSDPAR_NEEDS_DETERMINISTIC},

	/* The C library gets wide characters, and making them can fail. */
	{F_LOWER_TEXT, SSDPAR_NEEDS_CASE_FOLDING},
	{F_UPPER_TEXT, SSDPAR_NEEDS_CASE_FOLDING},
	{F_INITCAP, SSDPAR_NEEDS_CASE_FOLDING},

	/*
	 * LIKE.  Only a pattern that ends in an escape of nothing is an error,
	 * and a collation that is not deterministic.  ILIKE folds case as well.
	 */
	{F_TEXTLIKE, SSDPAR_NEEDS_PATTERN},
	{F_TEXTNLIKE, SSDPAR_NEEDS_PATTERN},
	{F_BPCHARLIKE, SSDPAR_NEEDS_PATTERN},
	{F_BPCHARNLIKE, SSDPAR_NEEDS_PATTERN},
	{F_NAMELIKE, SSDPAR_NEEDS_PATTERN},
	{F_NAMENLIKE, SSDPAR_NEEDS_PATTERN},
	{F_TEXTICLIKE, SSDPAR_NEEDS_FOLDED_PATTERN},
	{F_TEXTICNLIKE, SSDPAR_NEEDS_FOLDED_PATTERN},
	{F_BPCHARICLIKE, SSDPAR_NEEDS_FOLDED_PATTERN},
	{F_BPCHARICNLIKE, SSDPAR_NEEDS_FOLDED_PATTERN},

	/* Only that the length may be negative. */
	{F_SUBSTRING_TEXT_INT4_INT4, SSDPAR_NEEDS_LENGTH},
	{F_SUBSTR_TEXT_INT4_INT4, SSDPAR_NEEDS_LENGTH},

	/* Only that the field may be none, or none of that type. */
	{F_EXTRACT_TEXT_DATE, SSDPAR_NEEDS_FIELD_OF_DATE},
	{F_EXTRACT_TEXT_TIMESTAMP, SSDPAR_NEEDS_FIELD_OF_TIMESTAMP},
	{F_EXTRACT_TEXT_TIMESTAMPTZ, SSDPAR_NEEDS_FIELD_OF_TIMESTAMP},
	{F_DATE_PART_TEXT_TIMESTAMP, SSDPAR_NEEDS_FIELD_OF_TIMESTAMP},
	{F_DATE_PART_TEXT_TIMESTAMPTZ, SSDPAR_NEEDS_FIELD_OF_TIMESTAMP},

	/* A remainder by -1 is taken for 0, the quotient may overflow. */
	{F_INT2MOD, SSDPAR_NEEDS_MODULUS},
	{F_INT4MOD, SSDPAR_NEEDS_MODULUS},
	{F_INT8MOD, SSDPAR_NEEDS_MODULUS},
	{F_MOD_INT2_INT2, SSDPAR_NEEDS_MODULUS},
	{F_MOD_INT4_INT4, SSDPAR_NEEDS_MODULUS},
	{F_MOD_INT8_INT8, SSDPAR_NEEDS_MODULUS},
	{F_INT2DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT4DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT8DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT24DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT28DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT42DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT48DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT82DIV, SSDPAR_NEEDS_DIVISOR},
	{F_INT84DIV, SSDPAR_NEEDS_DIVISOR},

	/* No clock is near the ends of the calendar. */
	{F_DATE_TIMESTAMPTZ, SSDPAR_NEEDS_CLOCK},
	{F_TIMESTAMP_TIMESTAMPTZ, SSDPAR_NEEDS_CLOCK},
	{F_DATE_PLI, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_DATE_MII, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_DATE_PL_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_DATE_MI_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_TIMESTAMP_PL_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_TIMESTAMP_MI_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_TIMESTAMPTZ_PL_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
	{F_TIMESTAMPTZ_MI_INTERVAL, SSDPAR_NEEDS_CLOCK_AND_SPAN},
};

static int
compare_listed(const void *left, const void *right)
{
	Oid			a = ((const Listed *) left)->function;
	Oid			b = ((const Listed *) right)->function;

	return (a > b) - (a < b);
}

/*
 * OIDs of functions say nothing about what they do, so the list above is not
 * kept in their order by hand.  A function that stood there twice would have
 * whichever need the search met first.
 */
static void
sort_list(void)
{
	qsort(listed, lengthof(listed), sizeof(Listed), compare_listed);
	for (size_t i = 1; i < lengthof(listed); i++)
		Assert(listed[i - 1].function < listed[i].function);
}

SsdparNeed
ssdpar_need_of(Oid function)
{
	static bool sorted = false;
	Listed		key = {.function = function};
	const Listed *entry;

	if (!sorted)
	{
		sort_list();
		sorted = true;
	}
	entry = bsearch(&key, listed, lengthof(listed), sizeof(Listed),
					compare_listed);
	return entry != NULL ? entry->need : SSDPAR_NEEDS_MARK;
}
