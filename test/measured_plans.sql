-- measured_plans.sql: what is planned of queries whose rows or groups are
-- measured, for tests of that.

-- To within the half of what is true.
CREATE FUNCTION compared(expected float8, truth float8) RETURNS text
LANGUAGE sql AS $$
  SELECT CASE WHEN expected > 1.5 * truth THEN 'too many'
    WHEN expected * 1.5 < truth THEN 'too few' ELSE 'right' END $$;

-- How many rows are expected of a query, and what was measured for it.
CREATE FUNCTION expected(query text, truth float8)
RETURNS TABLE (result text, "column" text, measured text, assumed text)
LANGUAGE plpgsql AS $$
DECLARE plan jsonb;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN QUERY SELECT
      compared((plan->0->'Plan'->>'Plan Rows')::float8, truth),
      d->>'Column', compared((d->>'Values Measured')::float8, truth),
      compared((d->>'Values Assumed')::float8, truth)
    FROM (SELECT) one LEFT JOIN
      jsonb_array_elements(plan->1->'ssdpar Distinct') d ON true;
END $$;

CREATE FUNCTION plan_text(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE plan json;
BEGIN
  EXECUTE 'EXPLAIN (VERBOSE, FORMAT json) ' || query INTO plan;
  RETURN (plan->0->'Plan')::text;
END $$;

-- Is a statement planned as without measuring?
CREATE FUNCTION is_unmeasured(query text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE mine text; unmeasured text; budget text;
BEGIN
  mine := plan_text(query);
  budget := current_setting('ssdpar.estimate_budget');
  PERFORM set_config('ssdpar.estimate_budget', '0', false);
  unmeasured := plan_text(query);
  PERFORM set_config('ssdpar.estimate_budget', budget, false);
  RETURN mine = unmeasured;
END $$;
