"""The server's own Planning Time of a query under alternating settings."""

from __future__ import annotations

import json
from typing import Dict, List

from .legs import Settings
from .server import Server

_WARMING = 10           # plans of each that only fill caches
_TIMER = """
CREATE FUNCTION pg_temp.planning_ms(query text) RETURNS text
LANGUAGE plpgsql AS $$
DECLARE line text;
BEGIN
  FOR line IN EXECUTE 'EXPLAIN (COSTS OFF, SUMMARY) ' || query LOOP
    IF line LIKE 'Planning Time:%' THEN
      RETURN substring(line FROM '[0-9.]+');
    END IF;
  END LOOP;
END $$;
CREATE FUNCTION pg_temp.in_turns(query text, settings json, rounds int)
RETURNS TABLE (variant text, ms text) LANGUAGE plpgsql AS $$
DECLARE
  name text;
  value text;
BEGIN
  FOR round IN 1 .. rounds LOOP
    FOR variant IN SELECT json_object_keys(settings) LOOP
      FOR name, value IN SELECT * FROM json_each_text(settings -> variant) LOOP
        PERFORM set_config(name, value, false);
      END LOOP;
      ms := pg_temp.planning_ms(query);
      RETURN NEXT;
    END LOOP;
  END LOOP;
END $$;
"""


def in_turns(server: Server, text: str, variants: Dict[str, Settings],
             plans: int, warming: int = _WARMING) -> Dict[str, List[float]]:
    """Milliseconds of each plan by variant, alternating in one session."""
    settings = json.dumps(variants).replace("'", "''")
    quoted = text.replace("'", "''")
    call = f"pg_temp.in_turns('{quoted}', '{settings}', "
    out = server.sql(f"{_TIMER}SELECT count(*) FROM {call}{warming});\n"
                     f"SELECT * FROM {call}{plans});\n")
    values: Dict[str, List[float]] = {name: [] for name in variants}
    for line in out.splitlines()[1:]:
        variant, milliseconds = line.split("|")
        values[variant].append(float(milliseconds))
    return values
