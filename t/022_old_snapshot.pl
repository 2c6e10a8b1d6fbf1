# 022_old_snapshot.pl
#	A snapshot that is too old (old_snapshot_threshold) is an error in a star
#	scan by bitmap as it is in an index scan: never rows that are missing.  A
#	statement that comes to no page changed since has its rows, though planning it
#	looks at the rows of a dimension.
#
# Only for servers up to 16; 17 removed the setting.

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('old_snapshot');
plan skip_all => 'this server has no old_snapshot_threshold'
  if $node->pg_version >= 17;
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.cost_model_min_size = '100kB'
ssdpar.residency = cold
old_snapshot_threshold = 0
max_parallel_workers_per_gather = 0
autovacuum = off
CONF
$node->start;
$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
$node->safe_psql('postgres', slurp_file("$FindBin::Bin/../test/invent_device.sql"));
$node->safe_psql('postgres', <<'SQL');
SELECT invent_device('depth * 2', 128, 4e-6);
CREATE TABLE dimension (k int PRIMARY KEY, v int);
INSERT INTO dimension SELECT i, i % 10 FROM generate_series(1, 70000) i;
CREATE TABLE fact AS SELECT i AS id, i % 1000 AS k, repeat('x', 60) AS pad
  FROM generate_series(1, 80000) i;
CREATE INDEX ON fact (id);
CREATE INDEX ON fact (k);
VACUUM ANALYZE;
SQL

# Output of psql for a query, with the settings of two ways, under a snapshot
# older than rows that another session has removed.  With a threshold of 0, the
# server still protects snapshots of the last five seconds, depending on the
# transactions that the latest one saw.
sub with_old_snapshot
{
	my ($deletes, $query, @ways) = @_;
	my $delete = join ' ', map { "-c 'DELETE FROM $_'" } @$deletes;
	my $script = <<"SQL";
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT 'began ' || count(*) FROM dimension WHERE k = 1;
\\! psql -X -q -d postgres -o /dev/null $delete -c 'SELECT pg_sleep(6)' -c 'SELECT txid_current()' -c 'SELECT 1' -c 'VACUUM fact, dimension'
SQL
	$script .= "SAVEPOINT now;\n$_;\n$query;\nROLLBACK TO now;\n" foreach @ways;
	my ($rc, $out, $err) =
	  $node->psql('postgres', $script, on_error_stop => 0);

	return ($out, $err);
}

# By the index, rows of the dimension's first pages.  A look reads all of them.
my $by_index = 'SET enable_seqscan = off; SET enable_bitmapscan = off;'
  . ' SET ssdpar.index_join = off';
my $first = 'SELECT count(*) FROM fact f, dimension d'
  . ' WHERE f.k = d.k AND d.v = 3 AND id <= 500';
like(
	$node->safe_psql('postgres',
		"SET ssdpar.star_access = sequential; EXPLAIN $first"),
	qr/Rows Measured: d/, 'planning looks at the dimension');
unlike($node->safe_psql('postgres', "$by_index; EXPLAIN $first"),
	qr/Ssdpar/, 'the plan does not read all of it');
my ($out, $err) = with_old_snapshot(
	[ 'dimension WHERE k > 10000', 'fact WHERE id > 10000' ],
	$first, "$by_index; SET ssdpar.enabled = off", $by_index);
is($out, "began 1\n50\n50", 'rows of pages that have not changed');
is($err, '', 'and no error, though a look comes to pages that have');

($out, $err) = with_old_snapshot([ 'fact WHERE k % 2 = 1' ],
	'SELECT count(*) FROM fact f, dimension d WHERE f.k = d.k AND d.v = 3',
	'SET ssdpar.star_access = bitmap',
	'SET ssdpar.enabled = off; SET enable_seqscan = off');
is($out, 'began 1', 'no rows from a snapshot too old');
like($err, qr/snapshot too old.*snapshot too old/s,
	'but an error, with a star scan and without');

$node->stop;
done_testing();
