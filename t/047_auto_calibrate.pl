# 047_auto_calibrate.pl
#	ssdpar.auto_calibrate: a tablespace whose profile no longer fits is calibrated
#	again in the background, once, in a quiet moment and within the budget; not
#	when it is off; and what comes in between leaves nothing.
#
# What other programs do with the device is not looked at here
# (auto_calibrate_busy = 100): a test must not wait for the machine.
#
# runs: first

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# What counts as time for a quick calibration, and for none of the other kind.
my $little = 40;
my $enough = 600;

my $node = PostgreSQL::Test::Cluster->new('auto_calibrate');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<"CONF");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
ssdpar.auto_calibrate_time = $little
ssdpar.auto_calibrate_quiet = 1s
ssdpar.auto_calibrate_busy = 100
max_parallel_workers_per_gather = 0
shared_buffers = 1MB
autovacuum = off
jit = off
CONF
$node->append_conf('postgresql.conf', "io_method = sync\n")
  if $node->pg_version >= 18;
$node->start;
my $data = $node->data_dir;

$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE DATABASE other;
CREATE TABLE big AS SELECT i AS k, repeat('x', 500) AS pad
  FROM generate_series(1, 45000) i;
VACUUM (FREEZE, ANALYZE) big;
CHECKPOINT;
SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
                               file_size_mb => 16, sizes_kb => '{8,256}',
                               depths => '{1,4}');
SQL

# As a whole calibration has it: nothing speaks for another one.
my $whole = 'UPDATE ssdpar.device SET seconds = 45;'
  . 'UPDATE ssdpar.device_profile SET passes = 3;';
my $identity = $node->safe_psql('postgres',
	"$whole SELECT identity FROM ssdpar.device");

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sub set
{
	my ($setting, $value) = @_;

	sql("ALTER SYSTEM SET $setting = '$value'");
	$node->reload;
	$node->poll_query_until('postgres',
		"SELECT setting = '$value' FROM pg_settings WHERE name = '$setting'")
	  or die "$setting did not change";
	return;
}

# What the view says of pg_default, and that in a while.
my $state = q{SELECT concat_ws('|', cause, outcome, extent)
  FROM ssdpar.auto_calibration WHERE tablespace = 'pg_default'};

sub becomes
{
	my ($expected, $what, $server) = @_;

	$server //= $node;
	ok($server->poll_query_until('postgres', $state, $expected), $what)
	  or diag($server->safe_psql('postgres',
			'SELECT * FROM ssdpar.auto_calibration'));
	return;
}

sub log_lines
{
	my ($pattern) = @_;

	return scalar(() = slurp_file($node->logfile) =~ /$pattern/g);
}
my $done = qr/LOG:  calibrated tablespace "pg_default" in the background/;
my $ended = qr/LOG:  calibrating tablespace "pg_default" in the background was ended/;

# So many looks: each is a process that a session's planning starts.
sub look_again
{
	my ($times) = @_;

	foreach (1 .. $times)
	{
		sleep(1);
		sql('SELECT count(*) FROM big WHERE k < 0');
	}
	return;
}

sub workers
{
	return sql(q{SELECT count(*) FROM pg_stat_activity
		WHERE backend_type IN ('ssdpar watcher', 'ssdpar calibrator')});
}

# A device that somebody else measured.
sub exchange_device
{
	sql("UPDATE ssdpar.device SET identity = 'another one'");
	return;
}

# What is beside the databases' directories.
sub scratch_files
{
	return grep { !m{/(?:\d+|pgsql_tmp)$} }
	  glob("$data/base/.[a-z]* $data/base/*");
}

#
# Off, and with nothing to do.
#
exchange_device();
look_again(2);
is(workers(), 0, 'off: no worker');
is(sql('SELECT count(*) FROM ssdpar.auto_calibration'), 0, 'off: no row');
sql("UPDATE ssdpar.device SET identity = '$identity'");
set('ssdpar.auto_calibrate', 'on');
look_again(3);
is(sql('SELECT count(*) FROM ssdpar.auto_calibration'),
	0, 'a profile that fits is left alone');
$node->poll_query_until('postgres', q{SELECT count(*) = 0
	FROM pg_stat_activity WHERE backend_type = 'ssdpar watcher'});
is(log_lines($done), 0, 'nothing has been calibrated');

# The statements of a function began when it did: that is no reason for a look
# with each.
my $began = time;
set('log_min_messages', 'debug1');
sql(q{DO $$ BEGIN
  WHILE clock_timestamp() < statement_timestamp() + interval '3 s' LOOP
    EXECUTE 'SELECT 1 FROM big WHERE false';
  END LOOP;
END $$});
set('log_min_messages', 'warning');
cmp_ok(log_lines(qr/starting background worker process "ssdpar watcher"/),
	'<=', 2 + time - $began, 'a watcher a second at most');

#
# Another device, and a budget for a quick calibration.
#
exchange_device();
$node->safe_psql('other', 'SELECT 1');
becomes('quick calibration|no budget',
	'another device is calibrated quickly, and later wholly');
is(log_lines(qr/${done}, as it lies on another device/), 1, 'the log says why');
is(sql('SELECT identity, scratch_bytes >> 20, cores IS NOT NULL, problem'
		  . ' FROM ssdpar.device JOIN ssdpar.device_summary USING (tablespace)'),
	"$identity|256|t|", 'there is a new profile, with the CPU times');
is(sql("SELECT seconds_left BETWEEN 1 AND $little - 1, bytes_left >> 20"
		  . ' FROM ssdpar.auto_calibration'),
	't|' . (4096 - 272), 'it is taken off the budget');
look_again(4);
is(log_lines($done), 1, 'and once only');
set('ssdpar.auto_calibrate_writes', 100);
exchange_device();
becomes('another device|no budget', 'there are no bytes left');
look_again(3);
is(log_lines($done), 1, 'not beyond the budget');
sql("UPDATE ssdpar.device SET identity = '$identity'");
set('ssdpar.auto_calibrate_writes', 4096);

#
# A whole one after the quick one: not while the tablespace is read, not at once
# with another calibration.
#
my $reader = $node->background_psql('postgres');
$reader->query_safe('BEGIN; DECLARE c CURSOR FOR SELECT * FROM big;');
set('ssdpar.auto_calibrate_time', $enough);
becomes('quick calibration|waiting', 'it waits');
look_again(4);
is(sql($state), 'quick calibration|waiting', 'for the end of a query');
is(log_lines($done), 1, 'which is not disturbed');
sql(q{SET allow_in_place_tablespaces = on;
	CREATE TABLESPACE beside LOCATION ''});
sql(q{CREATE TABLE big_beside TABLESPACE beside AS TABLE big;
	VACUUM (FREEZE, ANALYZE) big_beside;
	INSERT INTO ssdpar.device SELECT (jsonb_populate_record(d,
	  '{"tablespace": "beside", "seconds": 45}')).* FROM ssdpar.device d;
	INSERT INTO ssdpar.device_profile SELECT (jsonb_populate_record(p,
	  '{"tablespace": "beside", "passes": 3}')).* FROM ssdpar.device_profile p});
sql(q{UPDATE ssdpar.device SET identity = 'another one'
	WHERE tablespace = 'beside'});
ok( $node->poll_query_until(
		'postgres', $state =~ s/pg_default/beside/r,
		'another device|waiting'),
	'another tablespace has its turn meanwhile');
sql("UPDATE ssdpar.device SET identity = '$identity'");
$reader->query_safe('ROLLBACK');
becomes('quick calibration|running|whole', 'then it runs');
my ($out, $err);
$node->safe_psql('other', 'CREATE EXTENSION ssdpar');
$node->psql('other', 'SELECT ssdpar.calibrate()', stderr => \$err);
like($err, qr/ERROR:  the device of tablespace "pg_default" is already being calibrated/,
	'nobody else calibrates meanwhile');
$reader->query_safe('BEGIN; DECLARE c CURSOR FOR SELECT * FROM big_beside;');
becomes('quick calibration|waiting',
	'a query ends it, in another tablespace of the device');
sql(q{DELETE FROM ssdpar.device WHERE tablespace = 'beside'});
is(log_lines(qr/$ended after [0-9.]+ s: a query began to read its device/),
	1, 'the log says why');
is(sql('SELECT scratch_bytes >> 20 FROM ssdpar.device'),
	256, 'and the profile is as it was');
$reader->query_safe('ROLLBACK');
sql('DROP TABLE big_beside');
sql('DROP TABLESPACE beside');

#
# The setting, and the server's end, in the midst of it.
#
becomes('quick calibration|running|whole', 'it runs again');
set('ssdpar.auto_calibrate', 'off');
ok( $node->poll_query_until(
		'postgres', q{SELECT count(*) = 0 FROM ssdpar.auto_calibration
			WHERE outcome IN ('running', 'waiting')}),
	'turned off in the midst of it');
is(log_lines(qr/$ended after [0-9.]+ s: ssdpar.auto_calibrate was turned off/),
	1, 'the log says why');
ok($node->poll_query_until('postgres', q{SELECT count(*) = 0
	FROM pg_stat_activity WHERE backend_type LIKE 'ssdpar%'}),
	'no worker is left');
$reader->quit;
set('ssdpar.auto_calibrate', 'on');
becomes('quick calibration|running|whole', 'and on again');
$node->stop('immediate');
is(join(' ', scratch_files()), '', 'a crash leaves no file');
$node->append_conf('postgresql.auto.conf',
	"ssdpar.auto_calibrate_time = $little\n");
$node->start;
is(sql('SELECT scratch_bytes >> 20 FROM ssdpar.device'),
	256, 'nor a profile that was not finished');

# A whole calibration that somebody ran is a reason no more.
becomes('quick calibration|no budget', 'it is still due');
sql($whole);
ok( $node->poll_query_until(
		'postgres',
		'SELECT count(*) = 0 FROM ssdpar.auto_calibration'),
	'and not when its cause has gone');

#
# Calibrations that fail: told once, and not tried again at once.
#
SKIP:
{
	skip 'root may write everywhere', 4 if $> == 0;

	exchange_device();
	chmod(0500, "$data/base") or die $!;
	becomes('another device|failed|quick', 'a directory that cannot be written');
	look_again(3);
	chmod(0700, "$data/base") or die $!;
	like(sql('SELECT message FROM ssdpar.auto_calibration'),
		qr/could not calibrate tablespace "pg_default": /, 'it says why');
	is(sql('SELECT written_bytes FROM ssdpar.auto_calibration'),
		0, 'what was not written is not charged');
	is(log_lines(qr/ERROR:  could not calibrate tablespace/),
		1, 'once in the log');
	$node->restart;
	sql("UPDATE ssdpar.device SET identity = '$identity'");
}

# On the WAL's file system there has to be room for all that it may take.
exchange_device();
set('max_wal_size', 2**31 - 1);
becomes('another device|failed|quick', 'no room for the WAL');
like(sql('SELECT message FROM ssdpar.auto_calibration'),
	qr/too little free space in .*: need 21474837\d\d MB, have \d+ MB/,
	'it says why');
sql('ALTER SYSTEM RESET max_wal_size');
$node->restart;
sql("UPDATE ssdpar.device SET identity = '$identity'");

# A mount that has vanished is no other device.
sql(q{SET allow_in_place_tablespaces = on;
	CREATE TABLESPACE space LOCATION ''});
sql(q{INSERT INTO ssdpar.device
	  SELECT (jsonb_populate_record(d, '{"tablespace": "space"}')).*
	    FROM ssdpar.device d});
my $oid = sql(q{SELECT oid FROM pg_tablespace WHERE spcname = 'space'});
rename("$data/pg_tblspc/$oid", "$data/pg_tblspc/aside") or die $!;
look_again(3);
is(sql('SELECT count(*) FROM ssdpar.auto_calibration'),
	0, 'a tablespace that is not there is left alone');
rename("$data/pg_tblspc/aside", "$data/pg_tblspc/$oid") or die $!;
sql(q{DELETE FROM ssdpar.device WHERE tablespace = 'space'});
sql('DROP TABLESPACE space');

# Nor is a profile that was made by hand, or a file that makes no sense.
sql("UPDATE ssdpar.device SET identity = 'any device'");
look_again(2);
truncate("$data/ssdpar.profile", 100) or die $!;
look_again(2);
is(sql('SELECT count(*) FROM ssdpar.auto_calibration'), 0, 'nor are these');
is(-s "$data/ssdpar.profile", 100, 'a file that is cut off is not replaced');

#
# Drift, where the device's reads are counted.
#
my $file = "$data/" . sql(q{SELECT pg_relation_filepath('big')});

sub read_bytes
{
	return slurp_file('/proc/self/io') =~ /^read_bytes: (\d+)/m ? $1 : 0;
}

sub evict
{
	system_or_bail('dd', 'if=/dev/null', "of=$file", 'conv=notrunc,fdatasync',
		'oflag=nocache', 'count=0', 'status=none');
	return;
}
set('ssdpar.auto_calibrate', 'off');
sql(q{SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
	file_size_mb => 16, sizes_kb => '{8,256}', depths => '{1,4}')});
evict();
my $before = read_bytes();
slurp_file($file);
SKIP:
{
	skip 'reads of this file system are not counted', 3
	  if read_bytes() - $before < (-s $file) / 2;

	sql("$whole UPDATE ssdpar.device_profile SET iops = 1e6 * queue_depth");
	foreach (1 .. 12)
	{
		evict();
		sql('SELECT count(*) FROM big');
	}
	is(sql('SELECT drift > 2 FROM ssdpar.device_summary'), 't', 'drift');
	set('ssdpar.auto_calibrate', 'on');
	becomes('quick calibration|no budget', 'is mended, quickly');
	is(log_lines(qr/${done}, as reads did not take what its profile says/),
		1, 'the log says why');
}

#
# A whole one, to its end: of the sizes and depths that were chosen before.
#
set('ssdpar.auto_calibrate', 'off');
sql(q{SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
	file_size_mb => 16, sizes_kb => '{8,24}', depths => '{1,3}')});
exchange_device();
set('ssdpar.auto_calibrate_time', $enough);
set('ssdpar.auto_calibrate', 'on');
becomes('another device|done|whole', 'another device is calibrated wholly');
is(sql('SELECT scratch_bytes >> 20 FROM ssdpar.device'),
	1024, 'with a large file');
is(sql(q{SELECT string_agg(concat_ws(':', request_size / 1024, queue_depth), ' '
		ORDER BY request_size, queue_depth) FROM ssdpar.device_profile
	WHERE operation = 'read' AND pattern = 'random'}),
	'8:1 8:3 24:1 24:3', 'with the sizes and depths of the profile');

#
# A standby has its own device.
#
set('ssdpar.auto_calibrate', 'off');
exchange_device();
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->append_conf('postgresql.conf', <<"CONF");
ssdpar.auto_calibrate = on
ssdpar.auto_calibrate_time = $little
CONF
unlink($standby->data_dir . '/postgresql.auto.conf');
$standby->append_conf('postgresql.conf',
	"primary_conninfo = '" . $node->connstr . "'\n");
$standby->start;
becomes('quick calibration|no budget', 'a standby calibrates its own', $standby);
is($standby->safe_psql('postgres', 'SELECT identity FROM ssdpar.device'),
	$identity, 'and keeps that');
is(sql('SELECT identity FROM ssdpar.device'),
	'another one', "which is not the primary's");
$standby->stop;

unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed');
$node->stop;
done_testing();
