# 077_serializable_marks.pl
#	Only a serializable transaction does the work for each row that
#	serializability needs: in other transactions, a sequential star scan of
#	pages without the all-visible mark does not check rows for conflicts.
#	Counted by callgrind, in the function that does so.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $rows = 20000;
my $node = counted_node('marks');
$node->append_conf('postgresql.conf', <<'CONF');
max_parallel_workers_per_gather = 0
ssdpar.star_access = sequential
CONF
$node->start;
$node->safe_psql('postgres', <<SQL);
CREATE EXTENSION ssdpar;
\\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
CREATE TABLE dim AS SELECT i AS k, i % 10 AS v FROM generate_series(1, 1000) i;
CREATE UNIQUE INDEX ON dim (k);
CREATE TABLE fact AS SELECT i AS id, i * 7 % 1000 + 1 AS k
  FROM generate_series(1, $rows) i;
CREATE INDEX ON fact (k);
VACUUM ANALYZE dim;
ANALYZE fact;
SQL

my $query = 'SELECT count(f.id) FROM fact f, dim d WHERE f.k = d.k AND d.v < 5;';
like(
	$node->safe_psql('postgres', "EXPLAIN $query"),
	qr/SsdparStarScan.*Access: sequential/s,
	'a sequential star scan');
$node->stop;

start_counting($node, 'PredicateLockTID');
my ($committed, $serializable) = count_instructions(
	$node,
	[ $query, $query ],
	[ "BEGIN ISOLATION LEVEL SERIALIZABLE; $query", "$query COMMIT;" ]);
stop_counting($node);

cmp_ok($committed, '<', $rows, 'read committed: rows are not marked');
cmp_ok($serializable, '>', $rows, 'serializable: each is');

done_testing();
