# 057_clock_set_back.pl
#	The machine's clock is set back by thirty days while the server runs: a
#	delayed start of the daemon still happens in time, and cached data on a
#	table's pages does not stay valid for thirty days.

use strict;
use warnings;

use DaemonStatus;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $place = PostgreSQL::Test::Utils::tempdir_short();
my $back = "$place/back";
my $library = "$place/clock_back.so";
my $node = PostgreSQL::Test::Cluster->new('clock');

# in this place, because a data directory's path may be too long for a socket
my $socket = "$place/ssdpard.sock";

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

# The price of a plan after a moment, with the session's cache.
sub price
{
	my ($session) = @_;

	my $plan = $session->query_safe('EXPLAIN SELECT * FROM t');

	$plan =~ /cost=[\d.]+\.\.([\d.]+)/ or die "no price in $plan";
	return $1;
}

sub evict
{
	my $file = $node->data_dir . '/' . sql("SELECT pg_relation_filepath('t')");

	sql('CHECKPOINT');
	system_or_bail('dd', "of=$file", 'conv=notrunc,fdatasync',
		'oflag=nocache', 'count=0', 'status=none');
	return;
}

sub set_back
{
	append_to_file($back, '');
	return;
}

sub set_right
{
	unlink $back or die "$back: $!";
	return;
}

# Each daemon is killed immediately, so the delay before the next one grows.
sub test_supervisor
{
	my $read = 0;

	$node->start;
	sql('CREATE EXTENSION ssdpar');
	while (slurp_file($node->logfile) !~ /starting it again in 3200 ms/)
	{
		my $log = slurp_file($node->logfile, $read);

		if ($log =~ /started the prefetch daemon with process ID (\d+)\n/g)
		{
			$read += pos $log;
			kill 'KILL', $1;
		}
		usleep(10_000);
	}
	set_back();
	cmp_ok(daemon_says(\&sql, 'pid'),
		'>', 0, 'the daemon is started, though its time is far ahead');
	set_right();
	return;
}

sub test_residency
{
	my $session = $node->background_psql('postgres');

	sql(slurp_file('test/invent_device.sql')
		  . "SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', "
		  . '128, 5e-6)');
	sql(    'CREATE TABLE t AS SELECT i, repeat(\'x\', 500) AS pad '
		  . 'FROM generate_series(1, 20000) i');
	sql('VACUUM ANALYZE t');
	$session->query_safe('SET ssdpar.cost_model_min_size = 0; '
		  . "SET ssdpar.residency_ttl = '1h'");
	sql('SELECT count(*) FROM t');

	my $hot = price($session);

	evict();
	is(price($session), $hot, 'what is remembered is believed');
	set_back();
	cmp_ok(price($session), '>', $hot,
		'not if it is of a time that has not come');
	$session->quit;
	return;
}

system_or_bail('cc', '-shared', '-fPIC', '-o', $library, 'test/clock_back.c');
$node->init;
$node->append_conf('postgresql.conf', <<END);
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$socket'
shared_buffers = 1MB
autovacuum = off
fsync = off
ssdpar.prefetch = daemon
END
$ENV{CLOCK_BACK} = $back;
$ENV{LD_PRELOAD} = $library;
test_supervisor();
test_residency();
delete $ENV{LD_PRELOAD};
$node->stop;
done_testing();
