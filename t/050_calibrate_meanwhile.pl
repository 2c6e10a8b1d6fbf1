# 050_calibrate_meanwhile.pl
#	A calibration in the background, and what happens meanwhile: the profile is
#	changed, the watcher or the calibrator is terminated, the usual database
#	takes no connections, vacuum wants to remove rows.  What others see of its
#	progress meanwhile, and that nothing of it stays however it ends.
#
# As in 047_auto_calibrate.pl, what other programs do with the device is not
# looked at.  What this test asks meanwhile reads no table of the tablespace: a
# query that does would end the calibration.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use AutoCalibrate;

# Time for a quick calibration and not for a whole one.
my $little = 40;

my $node = calibrating_node('meanwhile', 11);

# One session for all: its database is the one that a watcher is told of, and
# it stays when no database takes connections any more.
$node->safe_psql('postgres', 'CREATE DATABASE other');
my $session;

sub connect_again
{
	$session = $node->background_psql('other');
	$session->set_query_timer_restart;
	$session->query_safe('SET client_min_messages = warning');
	return;
}

sub sql
{
	my $answer = $session->query_safe($_[0]);

	chomp($answer);
	return $answer;
}

# True once the query gives this.
sub gives
{
	my ($query, $expected) = @_;

	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		return 1 if sql($query) eq $expected;
		select(undef, undef, undef, 0.1);
	}
	diag(sql('SELECT * FROM ssdpar.auto_calibration'));
	return 0;
}

my $state = q{SELECT concat_ws('|', cause, outcome, extent)
  FROM ssdpar.auto_calibration WHERE tablespace = 'pg_default'};
my $running = q{SELECT count(*) FROM ssdpar.pg_stat_progress_calibrate
  WHERE tablespace = 'pg_default'};
my $message = q{SELECT message FROM ssdpar.auto_calibration};

sub becomes
{
	my ($expected, $what) = @_;

	ok(gives($state, $expected), $what);
	return;
}

# So many looks: each is a process that a session's planning starts.
sub look_again
{
	my ($times) = @_;

	foreach (1 .. $times)
	{
		sleep(1);
		sql('SELECT 1');
	}
	return;
}

sub terminate
{
	my ($type) = @_;

	sql(qq{SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE backend_type = '$type'});
	ok( gives(
			qq{SELECT count(*) FROM pg_stat_activity
			WHERE backend_type = '$type'}, 0),
		"the $type is terminated");
	return;
}

sub log_lines
{
	my ($pattern) = @_;

	return scalar(() = slurp_file($node->logfile) =~ /$pattern/g);
}
my $done = qr/LOG:  calibrated tablespace "pg_default" in the background/;
my $ended = qr/LOG:  calibrating tablespace "pg_default" in the background was ended/;

connect_again();
sql('CREATE EXTENSION ssdpar');
sql(q{SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
	file_size_mb => 16, sizes_kb => '{8,256}', depths => '{1,4}')});
my $identity = sql(q{UPDATE ssdpar.device SET seconds = 45;
	UPDATE ssdpar.device_profile SET passes = 3;
	SELECT identity FROM ssdpar.device});

sub exchange_device
{
	sql("UPDATE ssdpar.device SET identity = 'another one'");
	return;
}

# With so many seconds of budget, and nothing remembered.
sub restart
{
	my ($seconds) = @_;

	$session->quit;
	$node->append_conf('postgresql.conf',
		"ssdpar.auto_calibrate_time = $seconds\n");
	$node->restart;
	connect_again();
	return;
}

#
# A slow device takes longer than it was asked for: less time than that is no
# time.
#
exchange_device();
becomes('another device|no budget', 'eleven seconds are too few');

#
# The watcher's end, and then the calibrator's.
#
restart($little);
exchange_device();
becomes('another device|running|quick', 'it runs');
ok( gives(
		q{SELECT count(*) FROM ssdpar.pg_stat_progress_calibrate p
		JOIN pg_stat_activity a ON a.pid = p.pid AND a.datid = p.datid
		WHERE a.backend_type = 'ssdpar calibrator' AND p.share BETWEEN 0 AND 1
			AND p.phase IN ('writing the scratch file', 'measuring')}, 1),
	'its progress is shown');
terminate('ssdpar watcher');
look_again(2);
is(sql($state), 'another device|running|quick',
	'the next watcher leaves it alone');
terminate('ssdpar calibrator');
becomes('another device|ended|quick', 'nor does it run for ever');
is(sql($message), 'its process was interrupted', 'the view says why');
is(sql($running), 0, 'no progress of it is left');
is( sql(qq{SELECT seconds_left > $little - 12 FROM ssdpar.auto_calibration}),
	't',
	'what it took is taken off the budget');
look_again(2);
is(sql($state), 'another device|ended|quick', 'it is not repeated at once');

#
# Somebody changes the profile meanwhile, so that it fits.
#
restart($little);
exchange_device();
becomes('another device|running|quick', 'another one runs');
ok( gives(
		q{SELECT count(*) FROM pg_stat_activity
		WHERE backend_type = 'ssdpar calibrator' AND
			wait_event IN ('SsdparCalibrate', 'Extension')}, 1),
	'the device is measured');
is( sql(q{SELECT backend_xmin IS NULL FROM pg_stat_activity
		WHERE backend_type = 'ssdpar calibrator'}),
	't',
	'without a snapshot');
sql(qq{BEGIN;
	UPDATE ssdpar.device SET identity = '$identity';
	UPDATE ssdpar.device_profile SET iops = 12345;
	COMMIT});
becomes('another device|ended|quick', 'it ends');
is( sql($message),
	'its profile was changed meanwhile',
	'the view says why');
is(log_lines(qr/$ended after [0-9.]+ s: its profile was changed meanwhile/),
	1, 'so does the log');
is(sql('SELECT DISTINCT iops FROM ssdpar.device_profile'),
	12345, 'and the change is kept');
is(log_lines($done), 0, 'nothing else has been stored');

#
# A calibration that a session has asked for, and cancels.
#
is(sql($running), 0, 'none runs');
my $asker = $node->background_psql('postgres', on_error_stop => 0);
$asker->set_query_timer_restart;
$asker->query_until(qr/begins/, <<'SQL');
SET client_min_messages = warning;
CREATE EXTENSION ssdpar;
\echo begins
SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 600, file_size_mb => 16);
SQL
ok(gives("$running AND datname = 'postgres' AND phase = 'measuring'", 1),
	'that of a session is shown');
sql('SELECT pg_cancel_backend(pid) FROM ssdpar.pg_stat_progress_calibrate');
ok(gives($running, 0), 'cancelled, it is not');
$asker->quit;

#
# The tablespace can be written no more, once the device has been measured: what
# pages in memory take cannot be.
#
SKIP:
{
	skip 'root may write everywhere', 4 if $> == 0;

	my $directory = $node->data_dir . '/base';
	my $kept = sql("SELECT ssdpar.profile_document('pg_default')");

	$asker = $node->background_psql('postgres', on_error_stop => 0);
	$asker->set_query_timer_restart;
	$asker->query_until(qr/begins/, <<'SQL');
\echo begins
SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 5, file_size_mb => 16);
SQL
	ok(gives("$running AND phase = 'measuring'", 1), 'it is measured');
	chmod(0500, $directory) or die "$directory: $!";
	ok(gives($running, 0), 'until the directory cannot be written');
	chmod(0700, $directory) or die "$directory: $!";
	$asker->quit;
	like(
		$asker->{stderr},
		qr/ERROR:  could not make a scratch file in ".*": Permission denied\n.*DETAIL: .*; no profile has been stored\.\n/,
		'which it says');
	is(sql("SELECT ssdpar.profile_document('pg_default')"),
		$kept, 'the profile is as it was');
}

#
# The usual database takes no connections, and then none does.
#
my $allow = 'UPDATE pg_database SET datallowconn =';

sql("$allow false WHERE datname = 'postgres'");
restart($little);
exchange_device();
becomes('quick calibration|no budget', 'another database serves, too');
is(log_lines($done), 1, 'the tablespace is calibrated');
is(log_lines(qr/FATAL:.*not currently accepting connections/),
	0, 'without a try in vain');
restart($little);
sql("$allow false");
exchange_device();
becomes('another device|failed', 'no database');
is( sql($message),
	'no database accepts connections',
	'the view says so');
look_again(2);
is(log_lines(qr/FATAL:.*not currently accepting connections/),
	0, 'it is not tried');
sql("$allow datname <> 'template0'");

unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed');
$session->quit;
$node->stop;
done_testing();
