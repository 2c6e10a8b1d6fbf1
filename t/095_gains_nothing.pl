# 095_gains_nothing.pl
#	A statement that cannot gain anything pays at most two percent of its
#	instructions: pgbench's select-only with each protocol, and TPC-B.  Its
#	tables are small in one leg; in the other, each counts as large and is
#	read by its unique key.
#
# runs: alone

use strict;
use warnings;

use PostgreSQL::Test::Utils;
use Test::More;

use Callgrind;

system('valgrind --version >/dev/null 2>&1') == 0
  or plan skip_all => 'valgrind is not there';

my $most = 1.02;
my ($few, $many) = (100, 300);
my $node = counted_node('nothing');
my $dir = $node->basedir;

# As in 049_never_in_the_way.pl: the sessions clear WAL buffers.
$node->append_conf('postgresql.conf', <<'CONF');
wal_buffers = 32kB
wal_writer_delay = 10s
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096, 1e-5);
SQL

append_to_file("$dir/select", <<'SQL');
\set aid random(1, 20000)
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
SQL
append_to_file("$dir/tpcb", <<'SQL');
\set aid random(1, 20000)
\set tid random(1, 10)
\set delta random(-5000, 5000)
BEGIN;
UPDATE pgbench_accounts SET abalance = abalance + :delta WHERE aid = :aid;
SELECT abalance FROM pgbench_accounts WHERE aid = :aid;
UPDATE pgbench_tellers SET tbalance = tbalance + :delta WHERE tid = :tid;
UPDATE pgbench_branches SET bbalance = bbalance + :delta WHERE bid = 1;
INSERT INTO pgbench_history (tid, bid, aid, delta, mtime) VALUES (:tid, 1, :aid, :delta, CURRENT_TIMESTAMP);
END;
SQL

# The same tables for each server.
my $tables = <<'SQL';
DROP TABLE IF EXISTS pgbench_accounts, pgbench_tellers, pgbench_branches,
  pgbench_history;
CREATE TABLE pgbench_accounts (aid int PRIMARY KEY, bid int, abalance int,
  filler char(84)) WITH (fillfactor = 50);
CREATE TABLE pgbench_tellers (tid int PRIMARY KEY, bid int, tbalance int,
  filler char(84));
CREATE TABLE pgbench_branches (bid int PRIMARY KEY, bbalance int,
  filler char(88));
CREATE TABLE pgbench_history (tid int, bid int, aid int, delta int,
  mtime timestamp, filler char(22));
INSERT INTO pgbench_accounts SELECT i, 1, 0, '' FROM generate_series(1, 20000) i;
INSERT INTO pgbench_tellers SELECT i, 1, 0, '' FROM generate_series(1, 10) i;
INSERT INTO pgbench_branches VALUES (1, 0, '');
VACUUM ANALYZE;
CHECKPOINT;
SQL

my @legs = (
	[ 'select-only, simple', 'select', 'simple' ],
	[ 'select-only, extended', 'select', 'extended' ],
	[ 'select-only, prepared', 'select', 'prepared' ],
	[ 'TPC-B, simple', 'tpcb', 'simple' ],
	[ 'TPC-B, prepared', 'tpcb', 'prepared' ]);
my %sizes = ('small tables' => '1GB', 'unique keys' => '0');

sub measure
{
	my ($library, $size) = @_;
	my %counts;

	$node->adjust_conf('postgresql.conf', 'shared_preload_libraries',
		"'$library'");
	$node->start;
	$node->safe_psql('postgres', $tables);
	$node->stop;
	local $ENV{PGOPTIONS} = $library eq '' ? '' :
	  "-c ssdpar.cost_model_min_size=$size";
	start_counting($node, 'PostgresMain');

	# once before, for hint bits and the caches' file
	count_client($node, '-f', "$dir/tpcb", '-t', 10);
	foreach my $leg (@legs)
	{
		my ($name, $script, $protocol) = @$leg;
		my @runs = map { count_client($node, '-f', "$dir/$script", '-M',
				$protocol, '-t', $_) } $few, $many;

		$counts{$name} = ($runs[1] - $runs[0]) / ($many - $few);
	}
	stop_counting($node);
	return \%counts;
}

sub explained
{
	my ($size) = @_;
	return $node->safe_psql('postgres',
		"SET ssdpar.cost_model_min_size = '$size';"
		  . 'EXPLAIN (VERBOSE) SELECT abalance FROM pgbench_accounts'
		  . ' WHERE aid = 5');
}

$node->stop;
my $plain = measure('', 0);
foreach my $kind (sort keys %sizes)
{
	my $loaded = measure('ssdpar', $sizes{$kind});

	foreach my $name (map { $_->[0] } @legs)
	{
		cmp_ok($loaded->{$name}, '<=', $most * $plain->{$name},
			sprintf('%s, %s: %.2f %% more of %.0f instructions',
				$name, $kind, 100 * ($loaded->{$name} / $plain->{$name} - 1),
				$plain->{$name}));
	}
}

# EXPLAIN says so too.
$node->start;
like(explained('1GB'), qr/ssdpar Not Used: each table is smaller/,
	'EXPLAIN tells of small tables');
like(explained('0'), qr/ssdpar Not Used: unique keys lead/,
	'EXPLAIN tells of unique keys');
$node->stop;
done_testing();
