"""The types of columns: how values are computed from numbers, and which types
are comparable.

A value is an SQL expression of a number, so that a table can be printed as one
INSERT from generate_series and is the same everywhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Dict, List


@dataclass(frozen=True)
class Kind:
    """One type.  Kinds of a family can be compared by `=`."""

    name: str
    type: str
    value: str        # of the number {}
    family: str
    ordered: bool = True

    def of(self, number: str) -> str:
        return self.value.format(number)


KINDS = {kind.name: kind for kind in (
    Kind("int4", "int4", "({})::int4", "int"),
    Kind("int8", "int8", "({})::int8", "int"),
    Kind("int2", "int2", "({})::int2", "int"),
    Kind("small", "small", "({})::int4::small", "int"),
    Kind("numeric", "numeric", "({})::numeric", "numeric"),
    # equal values with different bytes
    Kind("scaled", "numeric",
         "(CASE WHEN ({0}) % 2 = 0 THEN ({0})::numeric "
         "ELSE ({0})::numeric(9,2) END)", "numeric"),
    Kind("float8", "float8",
         "(CASE ({0}) % 9 WHEN 0 THEN -0.0 WHEN 1 THEN 'NaN' "
         "ELSE ({0}) / 2.0 END)::float8", "float"),
    Kind("float4", "float4", "(({}) / 2.0)::float4", "float"),
    Kind("text", "text", "'t' || ({})", "text"),
    Kind("varchar", "varchar(9)", "('t' || ({}))::varchar(9)", "text"),
    Kind("any_case", "text COLLATE any_case",
         "(CASE WHEN ({0}) % 3 = 0 THEN 'T' ELSE 't' END || ({0})::int / 2)",
         "any_case"),
    Kind("german", "text COLLATE german", "'ä' || ({})", "german"),
    Kind("date", "date", "date '2020-01-01' + ({})::int", "time"),
    Kind("timestamptz", "timestamptz",
         "timestamptz '2020-01-01 00:00' + ({}) * interval '12 hours'",
         "time"),
    Kind("timestamp", "timestamp",
         "timestamp '2020-01-01 00:00' + ({}) * interval '1 day'", "time"),
    Kind("bool", "bool", "(({}) % 2 = 0)", "bool"),
    Kind("colour", "colour",
         "(enum_range(NULL::colour))[1 + ({})::int % 5]", "colour"),
    Kind("uuid", "uuid", "md5(({})::text)::uuid", "uuid"),
    Kind("bytea", "bytea", "decode(lpad(({})::text, 6, '0'), 'hex')",
         "bytea"),
)}

# Only for fuzz.py --wide: composite types, types without hash or order
# operators, and types with several kinds of equality.
WIDE_KINDS = {kind.name: kind for kind in (
    Kind("word", "word", "('t' || ({}))::word", "text"),
    Kind("name", "name", "('t' || ({}))::name", "text"),
    Kind("bpchar", "char(8)", "('t' || ({}))::char(8)", "bpchar"),
    # a month equals 30 days
    Kind("interval", "interval",
         "(CASE WHEN ({0}) % 2 = 0 THEN ({0}) * interval '1 month' "
         "ELSE ({0}) * interval '30 days' END)", "interval"),
    Kind("inet", "inet", "('10.0.0.' || ({}) % 250)::inet", "inet"),
    # an int4 or int2 is compared with an oid as one: -1 is the greatest
    Kind("oid", "oid", "(({})::int4 - 20)::oid", "signed"),
    Kind("signed", "int4", "({})::int4 - 20", "signed"),
    Kind("signed2", "int2", "(({}) - 20)::int2", "signed"),
    Kind("jsonb", "jsonb", "to_jsonb(({})::int)", "jsonb"),
    Kind("array", "int4[]", "ARRAY[({0})::int4, ({0})::int4 % 3]", "array"),
    Kind("pair", "pair", "ROW(({0})::int4 % 4, 't' || ({0}) / 4)::pair",
         "pair"),
    Kind("range", "int4range", "int4range(({0})::int4, ({0})::int4 + 3)",
         "range"),
    Kind("clock", "time", "(time '00:00' + ({}) * interval '1 minute')",
         "clock"),
    Kind("varbit", "varbit", "({})::int4::bit(12)::varbit", "varbit"),
)}


def _families(kinds: List[Kind]) -> Dict[str, List[Kind]]:
    return {kind.family: [k for k in kinds if k.family == kind.family]
            for kind in kinds}


FAMILIES = _families(list(KINDS.values()))
WIDE_FAMILIES = _families([*KINDS.values(), *WIDE_KINDS.values()])

# Functions and types of every schema.  The sequences count calls; the result
# of coin() depends only on the number of calls before.  A function that raises
# errors does so for one argument in ten.  Queries per row run in one process,
# because run() in statements.py starts workers once.
TYPES = """
DO $$ BEGIN
  CREATE COLLATION german (provider = icu, locale = 'de');
  CREATE COLLATION any_case (provider = icu, locale = 'und-u-ks-level2',
                             deterministic = false);
EXCEPTION WHEN feature_not_supported THEN
  CREATE COLLATION german FROM "POSIX";
  CREATE COLLATION any_case FROM "C";
END $$;
CREATE TYPE colour AS ENUM ('red', 'green', 'blue', 'black', 'white');
CREATE DOMAIN small AS int4 CHECK (VALUE > -1000);
CREATE DOMAIN few AS int4 CHECK (VALUE <> 7);
CREATE DOMAIN word AS text CHECK (VALUE <> '');
CREATE TYPE pair AS (a int, b text);
""".strip()

NOTES = "CREATE TEMP TABLE notes (v int)"    # of each session

FUNCTIONS = {
    "calls": "CREATE SEQUENCE calls; CREATE SEQUENCE coins;",
    "counted": """CREATE FUNCTION counted(v int) RETURNS int VOLATILE
  LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;""",
    "counted_sql": """CREATE FUNCTION counted_sql(v int) RETURNS int VOLATILE
  LANGUAGE sql AS $$SELECT v + 0 * nextval('calls')::int$$;""",
    "counted_quietly": """CREATE FUNCTION counted_quietly(v int) RETURNS int
  VOLATILE LEAKPROOF LANGUAGE plpgsql AS $$
BEGIN PERFORM nextval('calls'); RETURN v; END $$;""",
    "noted": """CREATE FUNCTION noted(v int) RETURNS int VOLATILE
  LANGUAGE plpgsql AS $$
BEGIN INSERT INTO notes VALUES (v); RETURN v; END $$;""",
    "coin": """CREATE FUNCTION coin(n int) RETURNS bool VOLATILE
  LANGUAGE plpgsql AS $$
BEGIN RETURN hashint8(nextval('coins')) % n = 0; END $$;""",
    "raises": """CREATE FUNCTION raises(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql AS $$
BEGIN
  IF v = 7 THEN RAISE EXCEPTION 'no sevens'; END IF;
  RETURN v;
END $$;""",
    "quiet": """CREATE FUNCTION quiet(v int) RETURNS int IMMUTABLE LEAKPROOF
  PARALLEL SAFE LANGUAGE plpgsql AS $$BEGIN RETURN v; END $$;""",
    "plain": """CREATE FUNCTION plain(v int) RETURNS int STABLE
  LANGUAGE sql AS $$SELECT v$$;""",
    "looks_up": """CREATE FUNCTION looks_up(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN RETURN (SELECT count(*) FROM d0 WHERE x = v); END $$;""",
    "joins": """CREATE FUNCTION joins(v int) RETURNS int STABLE
  PARALLEL SAFE LANGUAGE plpgsql SET max_parallel_workers_per_gather = 0 AS $$
BEGIN
  RETURN (SELECT count(*) % 10 FROM f0 JOIN d0 ON f0.k0 = d0.k
          WHERE d0.g = v);
END $$;""",
}

# These execute a query from PL/pgSQL.
WRAPPERS = """
CREATE FUNCTION run(query text) RETURNS SETOF text LANGUAGE plpgsql AS $$
DECLARE r record;
BEGIN
  FOR r IN EXECUTE query LOOP RETURN NEXT r::text; END LOOP;
END $$;
CREATE FUNCTION run_to(query text, most int) RETURNS int LANGUAGE plpgsql AS $$
DECLARE r record; c refcursor; n int := 0;
BEGIN
  OPEN c SCROLL FOR EXECUTE query;
  LOOP
    FETCH c INTO r;
    EXIT WHEN NOT FOUND OR n >= most;
    n := n + 1;
  END LOOP;
  CLOSE c;
  RETURN n;
END $$;
""".strip()
