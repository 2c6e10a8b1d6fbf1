/*
 * ssb_tables.c
 *		The catalog of the five tables, and the arithmetic of scale factors.
 *
 * Cardinalities: O'Neil, O'Neil, Chen, "The Star Schema Benchmark", section 2.
 * Part grows with the logarithm from scale 1 on; below, where the
 * specification says nothing, it shrinks proportionally.
 */
#include "ssb_tables.h"

#include <string.h>

const SsbTableInfo ssb_tables[SSB_NTABLES] = {
	[SSB_LINEORDER] = {"lineorder", NULL, 17, {
			{"lo_orderkey", SSB_INT4},
			{"lo_linenumber", SSB_INT4},
			{"lo_custkey", SSB_INT4},
			{"lo_partkey", SSB_INT4},
			{"lo_suppkey", SSB_INT4},
			{"lo_orderdate", SSB_INT4},
			{"lo_orderpriority", 15},
			{"lo_shippriority", 1},
			{"lo_quantity", SSB_INT4},
			{"lo_extendedprice", SSB_INT4},
			{"lo_ordtotalprice", SSB_INT4},
			{"lo_discount", SSB_INT4},
			{"lo_revenue", SSB_INT4},
			{"lo_supplycost", SSB_INT4},
			{"lo_tax", SSB_INT4},
			{"lo_commitdate", SSB_INT4},
			{"lo_shipmode", 10},
	}},
	[SSB_CUSTOMER] = {"customer", NULL, 8, {
			{"c_custkey", SSB_INT4},
			{"c_name", 25},
			{"c_address", 25},
			{"c_city", 10},
			{"c_nation", 15},
			{"c_region", 12},
			{"c_phone", 15},
			{"c_mktsegment", 10},
	}},
	[SSB_SUPPLIER] = {"supplier", NULL, 7, {
			{"s_suppkey", SSB_INT4},
			{"s_name", 25},
			{"s_address", 25},
			{"s_city", 10},
			{"s_nation", 15},
			{"s_region", 12},
			{"s_phone", 15},
	}},
	[SSB_PART] = {"part", NULL, 9, {
			{"p_partkey", SSB_INT4},
			{"p_name", 22},
			{"p_mfgr", 6},
			{"p_category", 7},
			{"p_brand1", 9},
			{"p_color", 11},
			{"p_type", 25},
			{"p_size", SSB_INT4},
			{"p_container", 10},
	}},
	[SSB_DATE] = {"date", "ddate", 17, {
			{"d_datekey", SSB_INT4},
			{"d_date", 18},
			{"d_dayofweek", 9},
			{"d_month", 9},
			{"d_year", SSB_INT4},
			{"d_yearmonthnum", SSB_INT4},
			{"d_yearmonth", 7},
			{"d_daynuminweek", SSB_INT4},
			{"d_daynuminmonth", SSB_INT4},
			{"d_daynuminyear", SSB_INT4},
			{"d_monthnuminyear", SSB_INT4},
			{"d_weeknuminyear", SSB_INT4},
			{"d_sellingseason", 12},
			{"d_lastdayinweekfl", SSB_FLAG},
			{"d_lastdayinmonthfl", SSB_FLAG},
			{"d_holidayfl", SSB_FLAG},
			{"d_weekdayfl", SSB_FLAG},
	}},
};

bool
ssb_find_table(const char *name, SsbTable *table)
{
	for (int i = 0; i < SSB_NTABLES; i++)
	{
		if (strcmp(name, ssb_tables[i].name) == 0)
		{
			*table = (SsbTable) i;
			return true;
		}
	}
	return false;
}

static bool
bad_scale(const char *text, SsbError *error)
{
	return ssb_fail(error, "\"%.40s\" is not a scale factor: give a decimal "
					"number from 0.01 to 100 with at most six digits after "
					"the point (1 is about 6 million lineorder rows)", text);
}

/*
 * Digits, optionally a point and more digits, nothing else.  strtod would also
 * accept "1e2", "0x10", "nan" and the locale's comma.
 */
bool
ssb_parse_scale(const char *text, SsbScale *scale, SsbError *error)
{
	uint64_t	value = 0;
	uint32_t	unit = 0;		/* of the last digit; 0 before the point */
	bool		digits = false;

	for (const char *c = text; *c != '\0'; c++)
	{
		if (*c == '.' && unit == 0)
		{
			unit = SSB_SCALE_ONE;
			value *= SSB_SCALE_ONE;
			continue;
		}
		if (*c < '0' || *c > '9')
			return bad_scale(text, error);
		digits = true;
		if (unit == 0)
			value = value * 10 + (uint64_t) (*c - '0');
		else if (unit > 1)
			value += (uint64_t) (*c - '0') * (unit /= 10);
		else if (*c != '0')
			return bad_scale(text, error);
		if (value > SSB_SCALE_MAX)
			return bad_scale(text, error);
	}
	if (unit == 0)
		value *= SSB_SCALE_ONE;
	if (!digits || value < SSB_SCALE_MIN || value > SSB_SCALE_MAX)
		return bad_scale(text, error);
	*scale = (SsbScale) value;
	return true;
}

/* 200,000 x floor(1 + log2 scale), from 1 on. */
static uint64_t
count_parts(uint64_t scale)
{
	uint64_t	steps = 1;

	if (scale < SSB_SCALE_ONE)
		return 200000 * scale / SSB_SCALE_ONE;
	while (scale >= 2 * SSB_SCALE_ONE)
	{
		scale /= 2;
		steps++;
	}
	return 200000 * steps;
}

bool
ssb_sizes(SsbScale scale, SsbSizes *sizes, SsbError *error)
{
	uint64_t	orders = UINT64_C(1500000) * scale / SSB_SCALE_ONE;

	if (orders > INT32_MAX || ssb_order_key((uint32_t) orders) > INT32_MAX)
		return ssb_fail(error, "at this scale the order keys would not fit "
						"the column lo_orderkey (int4): choose a scale of "
						"at most 100");
	sizes->units[SSB_LINEORDER] = (uint32_t) orders;
	sizes->units[SSB_CUSTOMER] =
		(uint32_t) (UINT64_C(30000) * scale / SSB_SCALE_ONE);
	sizes->units[SSB_SUPPLIER] =
		(uint32_t) (UINT64_C(2000) * scale / SSB_SCALE_ONE);
	sizes->units[SSB_PART] = (uint32_t) count_parts(scale);
	sizes->units[SSB_DATE] = SSB_DAYS;
	return true;
}
