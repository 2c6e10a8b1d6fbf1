# 022_old_snapshot.pl
#	A snapshot that is too old (old_snapshot_threshold) is an error in a star
#	scan by bitmap as it is in an index scan: never rows that are missing.
#
# Servers until 16 only; 17 took the setting away.  The least it can be is a
# minute, so this runs with SSDPAR_LONG only.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('old_snapshot');
plan skip_all => 'this server has no old_snapshot_threshold'
  if $node->pg_version >= 17;
plan skip_all => 'takes three minutes: needs SSDPAR_LONG'
  unless $ENV{SSDPAR_LONG};
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
old_snapshot_threshold = 1min
max_parallel_workers_per_gather = 0
autovacuum = off
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE TABLE dimension AS SELECT i AS k, i % 10 AS v
  FROM generate_series(1, 1000) i;
CREATE TABLE fact AS SELECT i AS id, i % 1000 AS k
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE;
SQL

# Another session takes away what this one should see.  The server notes the
# age of snapshots once a minute, while others are taken and transactions go on.
my $script = <<'SQL';
SET ssdpar.star_access = bitmap;
BEGIN ISOLATION LEVEL REPEATABLE READ;
SELECT count(*) FROM dimension WHERE k = 1;
SAVEPOINT now;
\! psql -X -q -d postgres -c 'DELETE FROM fact WHERE k % 2 = 1'
\! for i in $(seq 39); do sleep 5; psql -X -q -d postgres -o /dev/null -c 'SELECT txid_current()'; done
\! psql -X -q -d postgres -c 'VACUUM fact'
SELECT count(*) FROM fact f, dimension d WHERE f.k = d.k AND d.v = 3;
ROLLBACK TO now;
SET ssdpar.enabled = off;
SET enable_seqscan = off;
SELECT count(*) FROM fact f, dimension d WHERE f.k = d.k AND d.v = 3;
SQL
my ($rc, $out, $err) = $node->psql('postgres', $script,
	on_error_stop => 0);
is($out, '1', 'no rows from a snapshot too old');
like($err, qr/snapshot too old.*snapshot too old/s,
	'but an error, with a star scan and without');

$node->stop;
done_testing();
