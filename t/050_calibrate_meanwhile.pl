# 050_calibrate_meanwhile.pl
#	While a session calibrates, other sessions see its progress, and
#	nothing is left however it ends.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('meanwhile');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
autovacuum = off
jit = off
CONF
$node->start;

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

my $running = q{SELECT count(*) FROM ssdpar.pg_stat_progress_calibrate p
  JOIN pg_stat_activity a ON a.pid = p.pid AND a.datid = p.datid
  WHERE p.tablespace = 'pg_default' AND p.share BETWEEN 0 AND 1};

# Starts a session that calibrates, and waits until it measures.
sub begin
{
	my ($options, $what) = @_;
	my $asker = $node->background_psql('postgres', on_error_stop => 0);

	$asker->set_query_timer_restart;
	$asker->query_until(qr/begins/, <<"SQL");
SET client_min_messages = warning;
\\echo begins
SELECT 1 FROM ssdpar.calibrate('pg_default', file_size_mb => 16, $options);
SQL
	ok($node->poll_query_until('postgres',
			"$running AND p.datname = 'postgres' AND p.phase = 'measuring'", 1),
		$what);
	return $asker;
}

sql('CREATE EXTENSION ssdpar');
sql(q{SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
	file_size_mb => 16, sizes_kb => '{8,256}', depths => '{1,4}')});
my $kept = sql("SELECT ssdpar.profile_document('pg_default')");

is(sql($running), 0, 'none runs');
my $asker = begin('seconds => 600', 'its progress is shown');
is( sql(q{SELECT count(*) FROM pg_stat_activity
		WHERE wait_event IN ('SsdparCalibrate', 'Extension')
			AND query LIKE '%ssdpar.calibrate(%' AND pid <> pg_backend_pid()}),
	1,
	'so is what it waits for');
sql('SELECT pg_cancel_backend(pid) FROM ssdpar.pg_stat_progress_calibrate');
ok($node->poll_query_until('postgres', $running, 0), 'cancelled, it is not');
$asker->quit;
is(sql("SELECT ssdpar.profile_document('pg_default')"),
	$kept, 'the profile is as it was');

# A termination waits until the engine has nothing outstanding.
$asker = begin('seconds => 600', 'another one');
sql('SELECT pg_terminate_backend(pid) FROM ssdpar.pg_stat_progress_calibrate');
ok($node->poll_query_until('postgres', $running, 0), 'is terminated');
eval { $asker->quit };
is(sql("SELECT ssdpar.profile_document('pg_default')"),
	$kept, 'the profile is as it was');

#
# The tablespace can be written no more, once the device has been measured: what
# pages in memory take cannot be.
#
SKIP:
{
	skip 'root may write everywhere', 4 if $> == 0;

	my $directory = $node->data_dir . '/base';

	$asker = begin('seconds => 5', 'it is measured');
	chmod(0500, $directory) or die "$directory: $!";
	ok($node->poll_query_until('postgres', $running, 0),
		'until the directory cannot be written');
	chmod(0700, $directory) or die "$directory: $!";
	$asker->quit;
	like(
		$asker->{stderr},
		qr/ERROR:  could not make a scratch file in ".*": Permission denied\n.*DETAIL: .*; no profile has been stored\.\n/,
		'which it says');
	is(sql("SELECT ssdpar.profile_document('pg_default')"),
		$kept, 'the profile is as it was');
}

unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed');
$node->stop;
done_testing();
