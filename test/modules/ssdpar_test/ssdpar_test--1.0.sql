-- ssdpar_test: the parts of ssdpar one at a time, for its tests.  They look
-- past permissions on rows; the schema is its owner's alone.
\echo Use "CREATE EXTENSION ssdpar_test" to load this file. \quit

CREATE FUNCTION key_code(operator regoperator, is_key boolean, value "any")
    RETURNS bigint
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_key_code';
COMMENT ON FUNCTION key_code(regoperator, boolean, "any") IS
    'the code of a value on the left or, if is_key, right side of an equality operator; null if it has none';

CREATE FUNCTION key_set(codes bigint[], probes bigint[], memory integer,
                        OUT kind text, OUT members bigint, OUT bytes bigint,
                        OUT sorted bigint[], OUT found bigint[])
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_key_set';
COMMENT ON FUNCTION key_set(bigint[], bigint[], integer) IS
    'makes a key set of codes within memory kB; which of the probes it finds';

CREATE FUNCTION key_filter(keys bigint[], memory integer DEFAULT 4096,
                           most integer DEFAULT 16384)
    RETURNS bytea
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_key_filter';
COMMENT ON FUNCTION key_filter(bigint[], integer, integer) IS
    'what ssdpar.in_key_filter() can be asked by, of keys collected within memory kB; null if it were larger than most kB';

CREATE FUNCTION index_rows(index regclass, keys anyarray,
                           memory integer DEFAULT 4096,
                           within tid[] DEFAULT NULL,
                           depth integer DEFAULT 0,
                           OUT leaves bigint, OUT hits bigint,
                           OUT found bigint, OUT pages bigint,
                           OUT lossy bigint, OUT beyond boolean)
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_index_rows';
COMMENT ON FUNCTION index_rows(regclass, anyarray, integer, tid[], integer) IS
    'reads the rows of keys from a btree into a TID set of memory kB; leaf pages read, of these in shared buffers, rows found, pages of the table in the set, of these lossy, and whether rows of the others may be beyond within';

CREATE FUNCTION index_row_ids(index regclass, keys anyarray,
                              memory integer DEFAULT 4096,
                              within tid[] DEFAULT NULL,
                              depth integer DEFAULT 0,
                              parts integer DEFAULT 1)
    RETURNS TABLE (block bigint, "row" tid)
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_index_row_ids';
COMMENT ON FUNCTION index_row_ids(regclass, anyarray, integer, tid[], integer, integer) IS
    'the same rows one by one; row is null where all of the page is in the set, which may be joined from several sets, each with a part of the keys';

CREATE FUNCTION read_pages(relation regclass, pages integer, seed integer,
                           depth integer, method text)
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_read_pages';
COMMENT ON FUNCTION read_pages(regclass, integer, integer, integer, text) IS
    'reads random pages, prefetched by daemon, local or none, depth requests ahead (0: as set); how many were read';

CREATE FUNCTION announce(relation regclass, blocks bigint[])
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_announce';
COMMENT ON FUNCTION announce(regclass, bigint[]) IS
    'asks the daemon for blocks, also past the end of the relation; how many of these are on their way';

CREATE FUNCTION read_depth(relation regclass, pages integer, seed integer,
                           depth integer, method text)
    RETURNS integer
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_read_depth';
COMMENT ON FUNCTION read_depth(regclass, integer, integer, integer, text) IS
    'the same; the most requests that were open at a time';

CREATE FUNCTION wait_as(event text)
    RETURNS void
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_wait_as';
COMMENT ON FUNCTION wait_as(text) IS
    'waits until it is cancelled; others see a wait for that kind of write';

CREATE FUNCTION hold_predicate_locks()
    RETURNS void
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_hold_predicate_locks';
COMMENT ON FUNCTION hold_predicate_locks() IS
    'until it is cancelled, serializable transactions stop where they would lock what they have not locked yet';

CREATE FUNCTION cancel_at(call bigint, value integer)
    RETURNS boolean
    STRICT STABLE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_cancel_at';
COMMENT ON FUNCTION cancel_at(bigint, integer) IS
    'false; cancels the statement at that call';

CREATE FUNCTION calls()
    RETURNS bigint
    VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_calls';
COMMENT ON FUNCTION calls() IS
    'how often cancel_at() was called in this session since the last time';

CREATE FUNCTION fill_memory(value integer)
    RETURNS integer
    STRICT STABLE PARALLEL SAFE LEAKPROOF
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_fill_memory';
COMMENT ON FUNCTION fill_memory(integer) IS
    'the value; the processes of the query can share nothing large from then on';

CREATE FUNCTION grow(value integer, starting integer, relation regclass,
                     pages integer)
    RETURNS integer
    STRICT STABLE PARALLEL SAFE LEAKPROOF
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_grow';
COMMENT ON FUNCTION grow(integer, integer, regclass, integer) IS
    'the value; from that one on the table has that many pages, of which those at its end are empty';

CREATE FUNCTION tables_shown_early(query text)
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_tables_shown_early';
COMMENT ON FUNCTION tables_shown_early(text) IS
    'how often, as this is planned, other extensions'' hooks are shown a table of a level whose conditions are not simplified yet';

CREATE FUNCTION indexes_in_front(query text)
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_indexes_in_front';
COMMENT ON FUNCTION indexes_in_front(text) IS
    'how many tables, as this is planned, get an index from another extension before the ones they have';

CREATE FUNCTION paths_of_parents(query text)
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_paths_of_parents';
COMMENT ON FUNCTION paths_of_parents(text) IS
    'how many paths, as this is planned, a table gets that another extension''s hook has made a parent';

CREATE FUNCTION scans_beside(query text)
    RETURNS bigint
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_scans_beside';
COMMENT ON FUNCTION scans_beside(text) IS
    'how many scans of core''s or ours, as this is planned, come beside the only ones that another extension has left of a table';

CREATE FUNCTION plan_without_memory(query text)
    RETURNS void
    STRICT VOLATILE PARALLEL UNSAFE
    LANGUAGE C AS 'MODULE_PATHNAME', 'ssdpar_test_plan_without_memory';
COMMENT ON FUNCTION plan_without_memory(text) IS
    'raises the error that planning raises which is refused memory the first time it asks';
