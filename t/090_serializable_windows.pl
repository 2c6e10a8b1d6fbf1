# 090_serializable_windows.pl
#	A serializable transaction that has checked but not yet locked: a row
#	that another transaction adds or deletes in between is still a
#	conflict.
#
# One session prevents predicate locks from being taken (hold_predicate_locks),
# so that another stops exactly there, and a third changes a row meanwhile.
# The third has read the notes, to which the second adds, so one of them must
# fail. Added rows are so wide that each is on a separate page, which did not
# exist at the check.

use strict;
use warnings;

use IndexJoins;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('serializable_windows');
$node->init;
$node->append_conf('postgresql.conf', index_join_settings() . <<'CONF');
ssdpar.daemon_autostart = off
ssdpar.prefetch_min_size = 0
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL' . index_join_device());
CREATE EXTENSION ssdpar;
CREATE EXTENSION ssdpar_test;
CREATE TABLE note (n int);
CREATE TABLE elsewhere (a int);
CREATE TABLE one AS SELECT i AS a, i % 10 AS b FROM generate_series(1, 1000) i;
CREATE TABLE none (a int, c int);
CREATE INDEX ON none (a);
CREATE TABLE seen AS SELECT i AS a FROM generate_series(1, 1000) i;
CREATE INDEX seen_a ON seen (a);
VACUUM ANALYZE seen;
CREATE TABLE day (k int, v int, pad text);
ALTER TABLE day ALTER pad SET STORAGE PLAIN;
INSERT INTO day SELECT i, i % 10, repeat('x', 5000) FROM generate_series(1, 200) i;
ALTER TABLE day ADD PRIMARY KEY (k);
CREATE TABLE fact (k int, v int, pad text);
ALTER TABLE fact ALTER pad SET STORAGE PLAIN;
INSERT INTO fact SELECT i % 200 + 1, i, repeat('x', 5000)
  FROM generate_series(1, 2000) i;
CREATE INDEX ON fact (k);
ANALYZE one, day, fact;
SQL

sub session
{
	return $node->background_psql('postgres', on_error_stop => 0);
}

# Sends a statement that will not end, and waits until it or a worker of it
# waits for that event.
sub begin_waiting
{
	my ($session, $sql, $event) = @_;
	my $pid = $session->query_safe('SELECT pg_backend_pid()');

	$session->query_until(qr/sent/, "\\echo sent\n$sql;\n");
	$node->poll_query_until('postgres', <<SQL)
SELECT count(*) > 0 FROM pg_stat_activity
 WHERE $pid IN (pid, leader_pid) AND state = 'active'
   AND wait_event LIKE '$event%'
SQL
	  or die "it does not wait for $event: $sql\n";
	return $pid;
}

# Does it fail to serialize?
sub cannot_serialize
{
	my ($session, $sql) = @_;

	$session->query($sql);
	return $session->{stderr} =~ /could not serialize/;
}

# The number of two transactions that fail: one that reads by the query, after
# the start statements, and one that changes a row while the first is stopped
# before a lock.  The second cannot take new locks, and has read what it needs.
sub failures
{
	my ($set, $begin, $query, $change) = @_;
	my ($holder, $looks, $changes) = map { session() } 1 .. 3;

	$looks->query_safe("$set BEGIN ISOLATION LEVEL SERIALIZABLE; $begin");
	$changes->query_safe(
		'BEGIN ISOLATION LEVEL SERIALIZABLE; TABLE note; SELECT count(*) FROM seen;');
	my $held = begin_waiting($holder,
		'SELECT ssdpar_test.hold_predicate_locks()', 'Extension');
	begin_waiting($looks, $query, 'SerializablePredicateList');
	$changes->query_safe($change);
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($held)");
	my $failed = grep { $_ } cannot_serialize($looks, 'INSERT INTO note VALUES (1)'),
	  map { cannot_serialize($_, 'COMMIT') } $changes, $looks;
	$_->quit foreach $holder, $looks, $changes;
	return $failed;
}

# One of them fails, if the row is where the query reads.
sub check
{
	my ($name, $plan, $set, $begin, $query, $change) = @_;

	like($node->safe_psql('postgres', "$set EXPLAIN $query"), $plan, $name);
	is(failures($set, $begin, $query, 'INSERT INTO elsewhere VALUES (3)'),
		0, "$name: a row elsewhere is no conflict");
	is(failures($set, $begin, $query, $change), 1, "$name: a row there is one");
	return;
}

check('an empty index',
	qr/SsdparIndexJoin/,
	'',
	'SELECT count(*) FROM one;',
	'SELECT count(c) FROM one JOIN none USING (a) WHERE b = 3',
	'INSERT INTO none VALUES (3)');

check('a page that all see',
	qr/SsdparIndexJoin/,
	'',
	'SELECT count(*) FROM one; '
	  . q{SELECT found FROM ssdpar_test.index_rows('seen_a', }
	  . '(SELECT array_agg(a) FROM generate_series(1, 1000) a));',
	'SELECT count(seen.a) FROM one JOIN seen USING (a) WHERE b = 3',
	q{DELETE FROM seen WHERE ctid = '(0,3)'});

my $star = 'SELECT sum(f.v) FROM fact f, day d WHERE f.k = d.k AND d.v = 3';
my $parallel = 'SET enable_hashjoin = on; '
  . 'SET max_parallel_workers_per_gather = 2; SET ssdpar.star_scan = on; ';
my @add_day = map { "INSERT INTO day VALUES ($_, 3, repeat('x', 5000))" } 300, 301;
my $add_fact = "INSERT INTO fact VALUES (3, 3, repeat('x', 5000))";

check('the fact of a parallel star scan',
	qr/Parallel Custom Scan \(SsdparStarScan\).*Access: sequential/s,
	"$parallel SET ssdpar.star_access = sequential;",
	'SELECT count(*) FROM day;',
	$star, $add_fact);
check('its dimension, read by all processes',
	qr/Parallel Custom Scan \(SsdparStarScan\).*Seq Scan on day/s,
	"$parallel SET ssdpar.star_access = sequential;",
	'SELECT count(*) FROM fact;',
	$star, $add_day[0]);
foreach ([ 'dimension', $add_day[1] ], [ 'fact', $add_fact ])
{
	my ($kind, $add) = @$_;

	check("a split by the $kind",
		qr/SsdparPartition.*Partition: $kind/s,
		q{SET enable_hashjoin = on; SET min_parallel_table_scan_size = '1GB'; }
		  . 'SET max_parallel_workers_per_gather = 3; '
		  . "SET ssdpar.subqueries = 4; SET ssdpar.partition = $kind;",
		'SELECT;', $star, $add);
}

$node->stop;
done_testing();
