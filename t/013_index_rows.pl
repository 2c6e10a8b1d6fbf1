# 013_index_rows.pl
#	The index reader of the star scan finds all rows that its snapshot
#	sees, while other sessions insert, split, delete and vacuum.
#
# Reading indexes without concurrent changes is tested in sql/star_data.sql.

use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = $ENV{SSDPAR_LONG} ? 400 : 40;

my $node = PostgreSQL::Test::Cluster->new('star_rows');
$node->init;
$node->append_conf('postgresql.conf', <<'END');
autovacuum = off
fsync = off
END
$node->start;

# Updates change an indexed column, so that each row version has its own TID in
# every index, and TIDs can be compared with those of a plain query.
$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar_test CASCADE;
CREATE TABLE fact (k int, t text, filler text) WITH (fillfactor = 70);
CREATE FUNCTION add(low int, high int, n int) RETURNS void LANGUAGE SQL AS $$
INSERT INTO fact SELECT k, lpad(k::text, 300, 'x'), 'f'
  FROM (SELECT low + floor(random() * (high - low))::int AS k
          FROM generate_series(1, n)) v $$;
SELECT add(0, 20000, 20000);
CREATE INDEX fact_k ON fact (k);
CREATE INDEX fact_k_desc ON fact (k DESC, filler) WITH (fillfactor = 50);
CREATE INDEX fact_t ON fact (t);
CREATE FUNCTION lost(keys int[]) RETURNS bigint LANGUAGE SQL AS $$
WITH plain AS MATERIALIZED (SELECT ctid FROM fact WHERE k = ANY (keys)),
     words AS MATERIALIZED (SELECT array_agg(lpad(k::text, 300, 'x')) AS w
                              FROM unnest(keys) k)
SELECT count(*) FROM plain
 WHERE ctid NOT IN (SELECT "row" FROM ssdpar_test.index_row_ids('fact_k', keys, 65536))
    OR ctid NOT IN (SELECT "row" FROM ssdpar_test.index_row_ids('fact_k_desc', keys, 65536))
    OR ctid NOT IN (SELECT "row" FROM words, ssdpar_test.index_row_ids('fact_t', w, 65536))
$$;
ALTER FUNCTION lost(int[]) SET enable_indexscan = off;
ALTER FUNCTION lost(int[]) SET enable_bitmapscan = off;
END

# Writers: splits everywhere, duplicates of one key, whole ranges emptied so
# that pages are deleted, and new rows in their place.
my $write = $node->basedir . '/write.sql';
append_to_file($write, <<'END');
\set low random(0, 19000)
\set n random(1, 400)
SELECT add(:low, :low + 500, :n);
SELECT add(:low, :low + 1, 50);
DELETE FROM fact WHERE k BETWEEN :low + 300 AND :low + 900;
UPDATE fact SET k = k + 1, t = lpad((k + 1)::text, 300, 'x') WHERE k BETWEEN :low AND :low + 20;
END
my $vacuum = $node->basedir . '/vacuum.sql';
append_to_file($vacuum, "VACUUM fact;\n");

sub start_pgbench
{
	my ($script, $clients) = @_;
	my $log = '';
	my $run = IPC::Run::start(
		[
			'pgbench', '-n', '-c', $clients, '-T', 3600, '-f', $script,
			'-h', $node->host, '-p', $node->port, 'postgres'
		],
		'>', \$log, '2>', \$log);

	return $run;
}

my @writers = (start_pgbench($write, 2), start_pgbench($vacuum, 1));

# Everything in one snapshot, taken while the writers run.
my $lost = 0;
my $found = 0;
foreach my $round (1 .. $rounds)
{
	my $step = 1 + $round % 7;
	my $answer = $node->safe_psql('postgres', <<"END");
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT lost(keys) || ' ' || (SELECT count(*) FROM fact WHERE k = ANY (keys))
  FROM (SELECT array_agg(k) AS keys
          FROM generate_series(${\($round % 5)}, 20600, $step) k) k;
COMMIT;
END
	my ($missing, $rows) = split / /, $answer;

	$lost += $missing;
	$found += $rows;
}

ok($_->pumpable, 'the writers are at it to the end') foreach @writers;
$_->kill_kill foreach @writers;
is($lost, 0, "no row lost in $rounds snapshots");
cmp_ok($found, '>', 1000 * $rounds, 'there were rows to lose');
cmp_ok(
	$node->safe_psql('postgres',
		"SELECT pg_relation_size('fact_t') / 8192"),
	'>', 500, 'the tree is deep');

$node->stop;
done_testing();
