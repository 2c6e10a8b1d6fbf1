# 090_serializable_windows.pl
#	A serializable transaction that has looked and not yet locked: a row that
#	another one adds in between is a conflict all the same.
#
# One session keeps predicate locks from being taken (hold_predicate_locks), so
# that another stops exactly there, and a third adds its row meanwhile.  That one
# has read the notes, to which the second adds: one of both must fail.

use strict;
use warnings;

use IndexJoins;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('serializable_windows');
$node->init;
$node->append_conf('postgresql.conf',
	index_join_settings() . "ssdpar.daemon_autostart = off\n");
$node->start;
$node->safe_psql('postgres', <<'SQL' . index_join_device());
CREATE EXTENSION ssdpar;
CREATE EXTENSION ssdpar_test;
CREATE TABLE note (n int);
CREATE TABLE elsewhere (a int);
CREATE TABLE one AS SELECT i AS a, i % 10 AS b FROM generate_series(1, 1000) i;
CREATE TABLE none (a int, c int);
CREATE INDEX ON none (a);
ANALYZE one;
SQL

sub session
{
	return $node->background_psql('postgres', on_error_stop => 0);
}

sub pid
{
	return $_[0]->query_safe('SELECT pg_backend_pid()');
}

# Send what is not going to end, and wait until it waits for that.
sub begin_waiting
{
	my ($session, $sql, $event) = @_;
	my $pid = pid($session);

	$session->query_until(qr/sent/, "\\echo sent\n$sql;\n");
	$node->poll_query_until('postgres', 'SELECT wait_event LIKE '
		  . "'$event%' FROM pg_stat_activity WHERE pid = $pid AND state = 'active'")
	  or die "it does not wait for $event: $sql\n";
	return $pid;
}

# Does it fail for that?
sub cannot_serialize
{
	my ($session, $sql) = @_;

	$session->query($sql);
	return $session->{stderr} =~ /could not serialize/;
}

# How many of two transactions fail: one that looks by the query, having locked
# what begins it, and one that adds a row while the first stands before a lock.
sub failures
{
	my ($begin, $query, $add) = @_;
	my ($holder, $looks, $adds) = map { session() } 1 .. 3;

	$looks->query_safe("BEGIN ISOLATION LEVEL SERIALIZABLE; $begin;");
	$adds->query_safe('BEGIN ISOLATION LEVEL SERIALIZABLE; TABLE note;');
	my $held = begin_waiting($holder,
		'SELECT ssdpar_test.hold_predicate_locks()', 'Extension');
	begin_waiting($looks, $query, 'SerializablePredicateList');
	$adds->query_safe($add);
	$node->safe_psql('postgres', "SELECT pg_cancel_backend($held)");
	my $failed = grep { $_ } cannot_serialize($looks, 'INSERT INTO note VALUES (1)'),
	  map { cannot_serialize($_, 'COMMIT') } $adds, $looks;
	$_->quit foreach $holder, $looks, $adds;
	return $failed;
}

my $join = 'SELECT count(c) FROM one JOIN none USING (a) WHERE b = 3';
like($node->safe_psql('postgres', "EXPLAIN $join"),
	qr/SsdparIndexJoin/, 'an index join');
is(failures('SELECT count(*) FROM one', $join,
		'INSERT INTO elsewhere VALUES (3)'),
	0, 'an empty index: a row elsewhere is no conflict');
is(failures('SELECT count(*) FROM one', $join, 'INSERT INTO none VALUES (3)'),
	1, 'an empty index: its first row is one');

$node->stop;
done_testing();
