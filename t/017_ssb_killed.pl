# 017_ssb_killed.pl
#	The Star Schema Benchmark's queries while their prefetch daemon is
#	killed by -9 again and again: every answer stays the same.
#
# At a tiny scale, whose tables are made to count as large.  Three kills, or
# twenty with SSDPAR_LONG=1.  t/008_prefetch.pl tests other failures of the
# daemon, with kills during a single table's scan.
#
# Needs bench/ssb/ssbload (make -C bench/ssb), or SSBLOAD naming it.

use strict;
use warnings;

use Cwd qw(abs_path);
use DaemonStatus;
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $ssb = abs_path(dirname(__FILE__) . '/../bench/ssb');
my $ssbload = $ENV{SSBLOAD} || "$ssb/ssbload";
-x $ssbload or die "$ssbload is missing: run make -C bench/ssb first";

my @queries = sort glob("$ssb/queries/q*.sql");
my $kills = $ENV{SSDPAR_LONG} ? 20 : 3;
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';

# Settings for sessions that read in different ways.
my %sessions = (
	'sequential star scans' => '-c ssdpar.star_access=sequential'
	  . ' -c max_parallel_workers_per_gather=0',
	'star scans' => '-c ssdpar.star_access=bitmap',
	'parallel' => '-c ssdpar.star_access=sequential'
	  . ' -c min_parallel_table_scan_size=0'
	  . ' -c parallel_setup_cost=0 -c parallel_tuple_cost=0');

sub make_node
{
	my $node = PostgreSQL::Test::Cluster->new('killed');

	$node->init;
	$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.daemon_socket = '$socket'
shared_buffers = 1MB
fsync = off
autovacuum = off
synchronize_seqscans = off
END
	$node->start;
	$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
	return $node;
}

sub load_ssb
{
	my ($node) = @_;
	my $conn = $node->connstr('postgres');
	my @psql = ('psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $conn, '-f');

	# ssbload finds its own sessions by that name
	delete local $ENV{PGAPPNAME};
	system_or_bail(@psql, "$ssb/schema.sql");
	IPC::Run::run([ $ssbload, '--scale', '0.02', $conn ],
		'<', \undef, '2>', '/dev/null')
	  or die 'ssbload failed';
	system_or_bail(@psql, "$ssb/indexes.sql");
	return;
}

# Starts psql, which runs all queries several times.
sub start_round
{
	my ($node, $settings, $times, $out, $err) = @_;

	local $ENV{PGOPTIONS} = $settings;
	return IPC::Run::start(
		[
			'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1',
			'-d', $node->connstr('postgres'),
			map { ('-f', $_) } (@queries) x $times
		],
		'<', \undef, '>', $out, '2>', $err);
}

sub status
{
	my ($node, $expression) = @_;

	return daemon_says(sub { $node->safe_psql('postgres', $_[0]) },
		$expression);
}

sub wait_for_daemon
{
	my ($node) = @_;

	return status($node, 'pid');
}

# Kills the daemon once it has worked for this round; returns false if the
# round had already ended.
sub kill_in_use
{
	my ($node, $round) = @_;
	my $pid = wait_for_daemon($node);

	while ($round->pumpable)
	{
		my $used = $node->safe_psql('postgres',
			'SELECT served + cached > 0 FROM ssdpar.daemon_status()');

		$round->pump_nb;
		usleep(int(rand(50_000)));
		next unless $used eq 't' && $round->pumpable;
		return kill('KILL', $pid) == 1;
	}
	return 0;
}

sub test_kill
{
	my ($node, $name, $wanted) = @_;
	my ($out, $err) = ('', '');
	my $round = start_round($node, $sessions{$name}, 10, \$out, \$err);

	ok(kill_in_use($node, $round), "$name: killed during a query");
	ok($round->finish, "$name: no query failed");
	is($err, '', "$name: nothing was said");
	ok($out eq $wanted x 10, "$name: the same rows");
	return;
}

sub rows_without
{
	my ($node) = @_;
	my ($out, $err) = ('', '');

	start_round($node, '-c ssdpar.enabled=off', 1, \$out, \$err)->finish
	  or die $err;
	return $out;
}

my $node = make_node();
load_ssb($node);

my $wanted = rows_without($node);
my @names = sort keys %sessions;

cmp_ok($wanted =~ tr/\n//, '>', scalar @queries, 'the queries find rows');
srand($ENV{SSDPAR_SEED} // 1);
foreach my $i (1 .. $kills)
{
	test_kill($node, $names[ $i % @names ], $wanted);
}
is(status($node, 'restarts'),
	$kills, 'the daemon was started again as often');
ok( $node->poll_query_until(
		'postgres', 'SELECT requests > 0'
		  . ' AND requests = served + cached + stale + dropped'
		  . ' FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL'),
	'served + cached + stale + dropped = sent');
unlike(slurp_file($node->logfile),
	qr/PANIC|server process .* was terminated|TRAP/, 'nothing crashed');
$node->stop;
done_testing();
