-- What ssdpar-probe --inside found, in the profile of a tablespace.
SET client_min_messages = warning;
CREATE EXTENSION IF NOT EXISTS ssdpar;
RESET client_min_messages;
\set SHOW_CONTEXT never
SET allow_in_place_tablespaces = on;
CREATE TABLESPACE di_space LOCATION '';
CREATE FUNCTION di_document(identity text) RETURNS json LANGUAGE SQL AS $$
SELECT json_build_object('format', 'ssdpar-probe', 'version', 1, 'engine_version', '1',
  'measured_at', '2026-01-01T00:00:00Z', 'file_size', 1073741824, 'seconds', 45,
  'device', json_build_object('identity', identity),
  'points', (SELECT json_agg(json_build_object('operation', 'read', 'pattern', pattern,
     'request_size', size, 'queue_depth', depth, 'iops', 1000 * depth,
     'bytes_per_second', 1000.0 * depth * size, 'latency_p50', 1, 'latency_p99', 1,
     'spread', 0.01, 'passes', 3))
    FROM unnest('{random,sequential}'::text[]) pattern, unnest('{8192,262144}'::int[]) size,
         unnest('{1,4,16}'::int[]) depth))
$$;
CREATE FUNCTION di_inside(identity text, inside json) RETURNS json LANGUAGE SQL AS $$
SELECT json_build_object('format', 'ssdpar-probe-inside', 'version', 1, 'engine_version', '1',
  'measured_at', '2026-02-03T04:05:06Z', 'file_size', 268435456, 'seconds', 30,
  'device', json_build_object('identity', identity), 'inside', inside)
$$;
CREATE VIEW di_found AS
  SELECT verdict, chunk_bytes, interleaving_degree AS degree, subdomains, confidence,
         mapping, mapping_confidence, probed_at AT TIME ZONE 'UTC' AS probed_at
    FROM ssdpar.device_inside WHERE tablespace = 'di_space';
\set pattern '{"verdict": "pattern", "chunk_bytes": 4096, "interleaving_degree": 10, "subdomains": 2, "confidence": 0.9922, "mapping": "static", "mapping_confidence": 0.98, "apart_us": 84.1, "together_us": 101.2, "noise_us": 1.5, "window_bytes": 16777216, "pairs": 40000, "bytes_read": 1, "bytes_written": 1}'
\set unclear '{"verdict": "unclear", "chunk_bytes": null, "interleaving_degree": null, "subdomains": null, "confidence": null, "mapping": null, "mapping_confidence": null}'

-- a profile comes first, and of the same device
SELECT ssdpar.store_profile('di_space', di_inside('disk 1', :'pattern'));
SELECT ssdpar.store_profile('di_space', di_document('disk 1'));
TABLE di_found;
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', :'pattern'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 1', :'pattern'));
TABLE di_found;
SELECT count(*) AS points FROM ssdpar.device_profile WHERE tablespace = 'di_space';
-- it goes along in documents
CREATE TEMP TABLE di_before AS SELECT * FROM ssdpar.device WHERE tablespace = 'di_space';
SELECT ssdpar.profile_document('di_space') AS document \gset
SELECT ssdpar.forget_profile('di_space');
SELECT ssdpar.store_profile('di_space', :'document');
SELECT count(*) FROM (TABLE di_before EXCEPT TABLE ssdpar.device) x;
-- it stays when the same device is measured again, and goes with another one
SELECT ssdpar.store_profile('di_space', di_document('disk 1'));
TABLE di_found;
SELECT ssdpar.store_profile('di_space', di_document('disk 2'));
TABLE di_found;
-- by calibrating as well
SET client_min_messages = warning;
CREATE FUNCTION di_calibrate() RETURNS void LANGUAGE SQL AS $$
SELECT FROM ssdpar.calibrate('di_space', seconds => 0.3, file_size_mb => 16,
                             sizes_kb => '{8}', depths => '{1}') $$;
SELECT di_calibrate();
SELECT ssdpar.store_profile('di_space', di_inside(identity, :'pattern'))
  FROM ssdpar.device WHERE tablespace = 'di_space';
SELECT di_calibrate();
TABLE di_found;
SELECT ssdpar.store_profile('di_space',
  jsonb_set(ssdpar.profile_document('di_space')::jsonb, '{device,identity}', '"disk 2"')::json);
SELECT di_calibrate();
TABLE di_found;
RESET client_min_messages;
SELECT ssdpar.store_profile('di_space', di_document('disk 2'));
-- another finding takes its place
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', :'pattern'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', :'unclear'));
TABLE di_found;
SELECT ssdpar.profile_document('di_space') -> 'inside' ->> 'verdict' AS verdict;
-- bad input
SELECT ssdpar.store_profile('nosuch', di_inside('disk 2', :'pattern'));
SELECT ssdpar.store_profile('di_space', '{}');
SELECT ssdpar.store_profile('di_space', '[1]');
SELECT ssdpar.store_profile('di_space', di_document('disk 2'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', '7'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', 'null'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', '{}'));
SELECT ssdpar.store_profile('di_space', di_inside(NULL, :'pattern'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', '{"verdict": "surely"}'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', '{"verdict": "pattern", "chunk_bytes": 4096}'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', '{"verdict": "none", "chunk_bytes": 4096, "interleaving_degree": 2, "confidence": 1}'));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"chunk_bytes": -4096}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"interleaving_degree": 0}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"confidence": 1.5}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"confidence": "NaN"}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"mapping": "by chance"}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"mapping_confidence": null}')::json));
SELECT ssdpar.store_profile('di_space', di_inside('disk 2', (:'pattern'::jsonb || '{"chunk_bytes": 1e30}')::json));
SELECT verdict FROM di_found;
-- who may
CREATE ROLE regress_ssdpar_inside;
GRANT SELECT ON di_found TO regress_ssdpar_inside;
SET ROLE regress_ssdpar_inside;
SELECT count(*) FROM ssdpar.device_inside WHERE tablespace = 'di_space';
SELECT ssdpar.store_profile('di_space', '{"format": "ssdpar-probe-inside", "version": 1, "measured_at": "2026-02-03T04:05:06Z", "device": {"identity": "disk 2"}, "inside": {"verdict": "none"}}');
RESET ROLE;

-- leave nothing
SELECT ssdpar.forget_profile('di_space');
DROP VIEW di_found;
DROP ROLE regress_ssdpar_inside;
DROP FUNCTION di_calibrate, di_document, di_inside;
DROP TABLESPACE di_space;
