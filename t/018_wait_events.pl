# 018_wait_events.pl
#	pg_stat_activity shows what ssdpar's processes wait for, with custom
#	wait events if the server supports them (17 and later).
#
# Filters that sleep keep one process busy while the others wait for it.  They
# are declared immutable, because otherwise no star scan would use a dimension
# with one.

use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $node = PostgreSQL::Test::Cluster->new('waits');
$node->init;
$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
autovacuum = off
max_parallel_workers_per_gather = 2
parallel_setup_cost = 0
parallel_tuple_cost = 0
min_parallel_table_scan_size = 1MB
END
$node->start;
$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar;
CREATE FUNCTION slow(int) RETURNS boolean IMMUTABLE LEAKPROOF PARALLEL SAFE COST 100
  LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.05); RETURN true; END';
CREATE TABLE dimension (id int PRIMARY KEY, name int);
INSERT INTO dimension SELECT i, i % 100 FROM generate_series(1, 1000) i;
CREATE TABLE fact AS
  SELECT i % 1000 + 1 AS dimension_id, i AS amount, repeat('x', 100) AS filler
    FROM generate_series(1, 50000) i;
CREATE INDEX ON fact (dimension_id);
VACUUM ANALYZE dimension, fact;
END

# The wait events of parallel processes while the query runs, then its rows.
sub waits_of
{
	my ($settings, $query) = @_;
	my ($out, $err) = ('', '');
	my %seen;
	my $session;

	local $ENV{PGOPTIONS} = $settings;
	$session = IPC::Run::start(
		[ 'psql', '-XqAt', '-d', $node->connstr('postgres'), '-c', $query ],
		'<', \undef, '>', \$out, '2>', \$err);
	delete $ENV{PGOPTIONS};
	while ($session->pumpable)
	{
		$seen{$_} = 1 foreach split /\n/, $node->safe_psql('postgres', <<'END');
SELECT wait_event_type || ' ' || wait_event FROM pg_stat_activity
 WHERE pid <> pg_backend_pid() AND datname = 'postgres'
   AND wait_event IS NOT NULL
END
		$session->pump_nb;
		usleep(20_000);
	}
	$session->finish or diag($err);
	chomp $out;
	return ($out, join(', ', sort keys %seen));
}

sub waits
{
	my ($event, $settings, $node_name) = @_;
	my $name = $node->pg_version >= 17 ? $event : 'Extension';
	my $query = 'SELECT count(*), sum(amount) FROM fact'
	  . ' JOIN dimension ON dimension_id = id WHERE name = 7 AND slow(name)';
	my $plain = $query =~ s/ AND slow\(name\)//r;
	my ($rows, $seen);

	local $ENV{PGOPTIONS} = $settings;
	like($node->safe_psql('postgres', "EXPLAIN $query"),
		qr/$node_name/, "$event: the plan has $node_name");
	# On a busy machine, everything may happen between two checks.
	foreach (1 .. 10)
	{
		($rows, $seen) = waits_of($settings, $query);
		last if $seen =~ /\bExtension $name\b/;
	}
	is($rows, $node->safe_psql('postgres', $plain), "$event: rows");
	like($seen, qr/\bExtension $name\b/, "$event is shown");
}

waits('SsdparStarKeys',
	'-c ssdpar.star_access=bitmap -c ssdpar.cost_model_min_size=0',
	qr/Parallel Custom Scan \(SsdparStarScan\)/);
waits('SsdparRowQueue',
	'-c ssdpar.star_scan=off -c ssdpar.subqueries=3'
	  . ' -c ssdpar.partition=dimension',
	qr/Parallel Custom Scan \(SsdparPartition\)/);

# Measuring for a second is mostly waiting for the device.
my $calibrates =
  $node->pg_version >= 17 ? qr/\bSsdparCalibrate\b/ : qr/\bExtension\b/;
my $seen;
foreach (1 .. 10)
{
	(undef, $seen) = waits_of('',
		q{SELECT count(*) FROM ssdpar.calibrate('pg_default', 1, 64)});
	last if $seen =~ $calibrates;
}
like($seen, $calibrates, 'SsdparCalibrate is shown');

# The supervisor has no database, so it has no row in pg_stat_activity, but a
# name.
SKIP:
{
	skip 'no pg_wait_events before 17', 1 if $node->pg_version < 17;
	$node->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = on');
	$node->restart;
	ok( $node->poll_query_until(
			'postgres', q{SELECT EXISTS (SELECT FROM pg_wait_events}
			  . q{ WHERE type = 'Extension' AND name = 'SsdparSupervisor')}),
		'SsdparSupervisor has a name');
}

$node->stop;
done_testing();
