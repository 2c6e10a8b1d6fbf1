# 056_star_limits.pl
#	Star scans short of resources, or with damage: sixteen shared buffers,
#	every connection in a star scan, pages that fail their checksum, tables
#	altered while plans are cached.  By either access method and with
#	workers: the server's rows, or its errors.

use strict;
use warnings;

use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $node = PostgreSQL::Test::Cluster->new('limits');
my $sessions = 4;		# of 8 connections: 3 are reserved, one holds the lock

$node->init(extra => ['--data-checksums']);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch_min_size = 0
max_connections = 8
superuser_reserved_connections = 3
autovacuum = off
min_parallel_table_scan_size = 0
min_parallel_index_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/wide_fact.sql
VACUUM (FREEZE) fact, dimension;
CREATE ROLE reader LOGIN;
GRANT SELECT ON fact, dimension TO reader;
SQL
my $from = 'FROM fact f, dimension d WHERE f.k = d.k AND d.v < 2';
my $query = "SELECT count(*), sum(f.id) $from";

# How a statement is executed, with the settings for it.
my %way = (off => 'SET ssdpar.enabled = off;');
foreach my $access (qw(bitmap sequential))
{
	foreach my $workers (0, 2)
	{
		$way{"$access, $workers workers"} = "SET ssdpar.star_access = $access; "
		  . "SET max_parallel_workers_per_gather = $workers;";
	}
}

# Rows or the error, which may name one block or several.
sub outcome
{
	my ($settings, $sql) = @_;
	my ($code, $out, $err) = $node->psql('postgres', "$settings $sql");

	return $out if $code == 0;
	my ($message) = $err =~ /ERROR:\s+(.*)/;
	$message =~
	  s/(?:invalid page in block|\d+ invalid pages among blocks) [\d.]+/invalid page/;
	return $message;
}

sub all_alike
{
	my ($name, $settings, $like) = @_;
	my $expected = outcome("$way{off} $settings", $query);

	like($expected, $like, "$name: the server alone");
	foreach my $how (grep { $_ ne 'off' } sort keys %way)
	{
		is(outcome("$way{$how} $settings", $query),
			$expected, "$name: the same by $how");
	}
	return;
}

foreach my $how (grep { $_ ne 'off' } sort keys %way)
{
	my ($access) = split /,/, $how;

	like($node->safe_psql('postgres', "$way{$how} EXPLAIN $query"),
		qr/SsdparStarScan.*Access: $access/s, "$how: a star scan");
}
all_alike('usual', '', qr/^4000\|/);

# Every available connection is in a star scan.  The session with the lock also
# checks this, because another one could take the last connection.
my $holder = $node->background_psql('postgres');

sub comes_to
{
	my ($query) = @_;

	foreach (1 .. 1800)
	{
		return 1 if $holder->query_safe("SELECT $query") =~ /^t$/m;
		usleep(100_000);
	}
	return 0;
}

$holder->query_safe('SELECT pg_advisory_lock(7)');
ok( comes_to("count(*) = 0 FROM pg_stat_activity WHERE pid <> pg_backend_pid() "
		  . "AND backend_type = 'client backend'"),
	'the sessions before have ended');
my @reader;
foreach my $i (1 .. $sessions)
{
	my $access = $i % 2 ? 'bitmap' : 'sequential';
	my %run;

	# as arguments, because a pipe has to be pumped
	$run{process} = IPC::Run::start(
		[
			'psql', '-XAtq', '-U', 'reader',
			'-d', $node->connstr('postgres'),
			map { ('-c', $_) } "SET ssdpar.star_access = $access",
			'SET max_parallel_workers_per_gather = 0',
			'BEGIN',
			"DECLARE c CURSOR FOR SELECT f.id $from",
			'FETCH 5 FROM c',
			'SELECT pg_advisory_xact_lock_shared(7)',
			'FETCH ALL FROM c',
			'COMMIT'
		],
		'>', \$run{out}, '2>', \$run{err});
	push @reader, \%run;
}
ok( comes_to("count(*) = $sessions FROM pg_locks "
		  . "WHERE locktype = 'advisory' AND NOT granted"),
	'all connections are in a star scan');
my ($code, $out, $err) =
  $node->psql('postgres', $query, extra_params => [ '-U', 'reader' ]);
isnt($code, 0, 'one more is refused');
like($err, qr/remaining connection slots|too many clients/, 'by the server');
$holder->query_safe('SELECT pg_advisory_unlock(7)');
ok($holder->quit, 'the lock is free');
foreach my $run (@reader)
{
	ok($run->{process}->finish, 'a session ends');
	is($run->{err}, '', 'without an error');
	is(scalar(grep { /^\d+$/ } split /\n/, $run->{out}),
		4000, 'with all of its rows');
}

# Tables are altered while a plan is cached; each time, the plan and the same
# query without ssdpar are executed.
sub altered
{
	my ($how) = @_;
	my $sql = "$way{$how} SET plan_cache_mode = force_generic_plan; "
	  . "PREPARE kept(int) AS SELECT count(*), sum(f.id) $from AND f.id > \$1; "
	  . 'EXECUTE kept(0);';
	my $check = "EXECUTE kept(5); SET ssdpar.enabled = off; "
	  . "SELECT count(*), sum(f.id) $from AND f.id > 5; SET ssdpar.enabled = on;";

	$sql .= " $_; $check" foreach (
		'ALTER TABLE fact ADD COLUMN late int DEFAULT 7, ADD COLUMN never text',
		'UPDATE fact SET late = 8 WHERE id % 1000 = 0',
		'ALTER TABLE fact DROP COLUMN late',
		'ALTER TABLE fact ALTER k TYPE bigint',
		'ALTER TABLE dimension ALTER v TYPE bigint',
		'DROP INDEX fact_again',
		'CREATE INDEX fact_again ON fact (k)',
		'CLUSTER fact USING fact_again',
		'TRUNCATE dimension',
		'INSERT INTO dimension SELECT * FROM kept_dimension');
	$sql = 'BEGIN; CREATE TEMP TABLE kept_dimension AS TABLE dimension; '
	  . 'CREATE INDEX fact_again ON fact (k); ' . $sql . ' ROLLBACK;';
	my @rows = split /\n/, $node->safe_psql('postgres', $sql);

	shift @rows;
	is(scalar @rows, 20, "$how: all were executed");
	is(join(' ', map { $rows[ 2 * $_ ] } 0 .. 9),
		join(' ', map { $rows[ 2 * $_ + 1 ] } 0 .. 9),
		"$how: the server's rows whatever is altered");
	return;
}
altered($_) foreach grep { $_ ne 'off' } sort keys %way;

# A page of the fact with required rows fails its checksum.
my $path = $node->data_dir . '/'
  . $node->safe_psql('postgres', "SELECT pg_relation_filepath('fact')");
$node->stop;
open(my $file, '+<:raw', $path) or die "$path: $!";
seek($file, 1001 * 8192 + 4000, 0);
print $file "\x55";
close($file) or die "$path: $!";
$node->start;
all_alike('damaged', '', qr/^invalid page of relation|^invalid page/);
all_alike('zeroed', 'SET zero_damaged_pages = on;', qr/^399\d\|/);

# Sixteen buffers.
$node->append_conf('postgresql.conf', <<'CONF');
shared_buffers = 128kB
zero_damaged_pages = on
CONF
$node->restart;
all_alike('sixteen buffers', '', qr/^399\d\|/);

# With so few buffers, a calibration's own queries are the first ones of the
# session to need the daemon, which made it fail at its end.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';

$node->append_conf('postgresql.conf', <<"CONF");
ssdpar.daemon_autostart = on
ssdpar.prefetch = daemon
ssdpar.daemon_socket = '$socket'
CONF
$node->restart;
ok( $node->poll_query_until(
		'postgres', 'SELECT pid IS NOT NULL FROM ssdpar.daemon_status()'),
	'the daemon runs');
is( $node->psql(
		'postgres', q{SELECT count(*) FROM ssdpar.calibrate('pg_default',
			seconds => 0.3, file_size_mb => 16, sizes_kb => '{8,256}',
			depths => '{1,4}')}),
	0,
	'sixteen buffers: a calibration');

unlike(slurp_file($node->logfile), qr/TRAP|leak|PANIC/, 'nothing leaks');
$node->stop;
done_testing();
