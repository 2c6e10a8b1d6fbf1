# 008_prefetch.pl
#	Prefetching never waits and never fails: the daemon is absent, killed,
#	stopped or overloaded, and tables are dropped while requests are
#	queued.
#
# What a scan announces is tested in test/unit/test_window.c, and the daemon
# without a server in t/007_daemon.pl.  bench/ tests the speed.

use strict;
use warnings;

use DaemonStatus;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $long = $ENV{SSDPAR_LONG};

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';

my $rows = 60000;
my $sum = $rows * ($rows + 1) / 2;

sub make_node
{
	my $node = PostgreSQL::Test::Cluster->new('prefetch');

	$node->init;
	$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 1MB
ssdpar.star_access = sequential
ssdpar.daemon_socket = '$socket'
shared_buffers = 16MB
autovacuum = off
synchronize_seqscans = off
allow_in_place_tablespaces = on
END
	$node->start;
	return $node;
}

# A table of about 35 MB; half of its rows add up to $sum, and star scans in
# sequence find these: they announce what they are going to read.
my $of_one = 'JOIN one USING (k) WHERE v = 1';

sub make_table
{
	my ($node, $database, $table) = @_;

	$node->safe_psql($database, <<"END");
CREATE TABLE IF NOT EXISTS one AS
  SELECT i AS k, i AS v FROM generate_series(1, 10) i;
CREATE TABLE $table AS
  SELECT (i / 2)::bigint AS id, i % 2 + 1 AS k, repeat('x', 230) AS filler
    FROM generate_series(1, 2 * $rows) i;
VACUUM ANALYZE $table, one;
END
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

# The process has ended, or ends soon.
sub ends
{
	my ($pid) = @_;

	foreach (1 .. 1800)
	{
		return 1 unless kill 0, $pid;
		usleep(100_000);
	}
	return 0;
}

# Rows are the same with any method, in one process or several.
sub check_rows
{
	my ($node, $when) = @_;

	foreach my $method (qw(off local daemon auto))
	{
		foreach my $workers (0, 2)
		{
			is( $node->safe_psql(
					'postgres', "SET ssdpar.prefetch = $method;"
					  . "SET max_parallel_workers_per_gather = $workers;"
					  . "SELECT sum(id), count(*) FROM fact $of_one"),
				"$sum|$rows",
				"$when: rows with $method, $workers workers");
		}
	}
}

# When a session has ended, every range that it sent is counted once.
sub check_accounts
{
	my ($node, $when) = @_;

	ok( $node->poll_query_until(
			'postgres', 'SELECT requests = served + cached + stale + dropped'
			  . ' FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL'),
		"$when: served + cached + stale + dropped = sent");
}

sub counter
{
	my ($node, $name) = @_;

	return $node->safe_psql('postgres',
		"SELECT $name FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL");
}

sub test_supervised
{
	my ($node) = @_;
	my $pid = wait_for_daemon($node);
	my $before = counter($node, 'requests');

	is(status($node, 'method IS NOT NULL AND restarts = 0 AND problem IS NULL'),
		't', 'the daemon runs and answers');
	check_rows($node, 'with a daemon');
	cmp_ok(counter($node, 'requests'), '>', $before, 'it was asked');
	check_accounts($node, 'with a daemon');

	$before = counter($node, 'requests + fallbacks + local_blocks');
	$node->safe_psql('postgres', $_ . "SELECT sum(id) FROM fact $of_one")
	  foreach 'SET ssdpar.prefetch = off;', 'SET ssdpar.enabled = off;',
	  "SET ssdpar.prefetch_min_size = '1TB';";
	is(counter($node, 'requests + fallbacks + local_blocks'),
		$before, 'off is off');

	like(
		$node->safe_psql('postgres',
				'SET max_parallel_workers_per_gather = 2;'
			  . "EXPLAIN (ANALYZE) SELECT sum(id) FROM fact $of_one"),
		qr/ssdpar Prefetch: method=daemon requests=\d+ served=/,
		'EXPLAIN ANALYZE tells');
	like(
		$node->safe_psql(
			'postgres',
			'SET ssdpar.star_scan = off; SET ssdpar.subqueries = 2;'
			  . 'SET ssdpar.partition = fact;'
			  . "EXPLAIN (ANALYZE) SELECT sum(id) FROM fact $of_one"),
		qr/SsdparPartition.*ssdpar Prefetch: method=daemon requests=[1-9]/s,
		'the subqueries of a split query ask it, too');
	is( $node->safe_psql(
			'postgres',
			'SELECT'
			  . " ssdpar_test.read_pages('fact', 1000, 42, 32, 'daemon')"),
		'1000',
		'a page list is read');
}

sub memory_kb
{
	my ($pid) = @_;

	return slurp_file("/proc/$pid/status") =~ /^VmRSS:\s+(\d+) kB/m
	  ? $1
	  : die "process $pid tells no memory";
}

# Thousands of scans in one session make neither it nor the daemon grow.
sub test_memory
{
	my ($node) = @_;
	my $scans = $long ? 10000 : 500;
	my $pid = wait_for_daemon($node);
	my $session = $node->background_psql('postgres', on_error_die => 1);
	my $backend = $session->query_safe('SELECT pg_backend_pid()');
	my $loop = q{DO $$ DECLARE n int; BEGIN FOR i IN 1 .. %d LOOP }
	  . "SELECT count(*) INTO n FROM small $of_one AND filler <> ''; "
	  . "SELECT count(*) INTO n FROM (SELECT FROM small $of_one LIMIT 200) s; "
	  . q{END LOOP; END $$};
	my ($before, $after, $before_backend, $after_backend);

	$node->safe_psql('postgres', <<'END');
CREATE TABLE small AS
  SELECT i, i % 2 + 1 AS k, repeat('x', 500) AS filler
    FROM generate_series(1, 4000) i;
VACUUM ANALYZE small;
END
	chomp $backend;
	$session->query_safe('SET ssdpar.prefetch_min_size = 0');
	$session->query_safe(sprintf $loop, 200);
	($before, $before_backend) = (memory_kb($pid), memory_kb($backend));
	$session->query_safe(sprintf $loop, $scans / 2);
	($after, $after_backend) = (memory_kb($pid), memory_kb($backend));
	note("$scans scans: daemon $before kB, then $after kB; "
		  . "session $before_backend kB, then $after_backend kB");
	cmp_ok($after, '<=', $before + 512, "$scans scans: the daemon is as large");
	cmp_ok($after_backend, '<=', $before_backend + 512, '... so is the session');
	$session->quit;
	check_accounts($node, 'after many scans');
}

# Kills the daemon repeatedly while a session scans.
sub test_killed
{
	my ($node) = @_;
	my $kills = $long ? 20 : 5;
	my ($out, $err) = ('', '');
	my $scanner;

	$node->safe_psql('postgres', 'CREATE TABLE stop ()');
	$scanner = IPC::Run::start(
		[
			'psql', '-XqAt', '-d', $node->connstr('postgres'),
			'-v', 'ON_ERROR_STOP=1', '-c', <<"END" ], '>', \$out, '2>', \$err);
DO \$\$
DECLARE
  answer numeric;
  scans int := 0;
BEGIN
  LOOP
    SELECT sum(id) INTO answer FROM fact $of_one;
    IF answer <> $sum THEN RAISE 'the sum is %', answer; END IF;
    scans := scans + 1;
    EXIT WHEN (SELECT count(*) > 0 FROM pg_class c, pg_attribute a
                WHERE c.relname = 'stop' AND a.attrelid = c.oid
                  AND a.attname = 'now');
  END LOOP;
  RAISE NOTICE 'good';
END \$\$
END
	foreach my $i (1 .. $kills)
	{
		my $pid = wait_for_daemon($node);

		kill 'KILL', $pid;
		ok(ends($pid), "kill $i: the daemon is gone");
	}
	cmp_ok(status($node, 'restarts'),
		'>=', $kills, 'it was started again as often');

	# The same session finds the new daemon.
	ok( $node->poll_query_until(
			'postgres',
			'SELECT served + cached > 0 FROM ssdpar.daemon_status()'),
		'the session that went on uses the new daemon');
	$node->safe_psql('postgres', 'ALTER TABLE stop ADD now int');
	ok($scanner->finish, 'no scan failed');
	like($err, qr/NOTICE:  good/, 'and all sums were right');
	unlike($err, qr/ERROR|WARNING/, 'nothing was said to the session');
	check_accounts($node, 'after kills');
}

# The daemon is stopped, so its socket fills up.
sub test_stopped
{
	my ($node) = @_;
	my $pid = wait_for_daemon($node);
	my $before = counter($node, 'fallbacks');

	kill 'STOP', $pid;
	check_rows($node, 'with a stopped daemon');
	$node->safe_psql(
		'postgres', <<"END");
DO \$\$
DECLARE answer numeric;
BEGIN
  FOR i IN 1 .. 200 LOOP
    SELECT sum(id) INTO answer FROM fact $of_one;
    IF answer <> $sum THEN RAISE 'the sum is %', answer; END IF;
  END LOOP;
END \$\$
END
	cmp_ok(counter($node, 'fallbacks'),
		'>', $before, 'a full socket is a fallback');
	like(
		$node->safe_psql(
			'postgres', 'SELECT problem FROM ssdpar.daemon_status()'),
		qr/no answer within 200 ms/,
		'daemon_status says that it does not answer');
	kill 'CONT', $pid;
	is(wait_for_daemon($node), $pid, 'it goes on when it is let to');
	check_accounts($node, 'after the stop');
}

# Descriptors of the daemon for deleted files.
sub deleted_files
{
	my ($pid) = @_;

	return grep { defined && /\(deleted\)$/ && !/memfd:/ }
	  map { readlink } glob("/proc/$pid/fd/*");
}

# Runs SQL that removes a table while requests for it wait in the socket.
sub take_away
{
	my ($node, $what, @sql) = @_;
	my $pid = wait_for_daemon($node);
	my $session;

	make_table($node, 'postgres', 'victim');
	kill 'STOP', $pid;
	# The session stays connected, so its requests are not dropped with it.
	$session = $node->background_psql('postgres', on_error_die => 1);
	$session->query_safe("SELECT sum(id) FROM victim $of_one");
	foreach my $sql (@sql)
	{
		my ($code, $out, $err) = $node->psql('postgres', $sql);

		is($code, 0, "$what: $sql") or diag $err;
	}
	kill 'CONT', $pid;
	wait_for_daemon($node);
	ok( $node->poll_query_until(
			'postgres', 'SELECT files = 0 FROM ssdpar.daemon_status()'),
		"$what: the daemon holds no file of it");
	is(join(' ', deleted_files($pid)), '', "$what: and no deleted one");
	is(wait_for_daemon($node), $pid, "$what: it is the same daemon");
	$session->quit;
	$node->safe_psql('postgres', 'DROP TABLE IF EXISTS victim');
}

sub test_taken_away
{
	my ($node) = @_;
	my $pid;
	my $session;

	take_away($node, 'DROP', 'DROP TABLE victim');
	take_away($node, 'TRUNCATE', 'TRUNCATE victim');
	take_away($node, 'VACUUM', 'DELETE FROM victim WHERE id > 100',
		'VACUUM victim');
	take_away($node, 'VACUUM FULL', 'VACUUM FULL victim');
	take_away($node, 'CLUSTER',
		'CREATE INDEX by_id ON victim (id)', 'CLUSTER victim USING by_id');
	take_away($node, 'SET TABLESPACE', q{CREATE TABLESPACE away LOCATION ''},
		'ALTER TABLE victim SET TABLESPACE away',
		'DROP TABLE victim', 'DROP TABLESPACE away');

	# A database with a session cannot be dropped, so the session ends before.
	$node->safe_psql('postgres', 'CREATE DATABASE doomed');
	make_table($node, 'doomed', 'victim');
	$pid = wait_for_daemon($node);
	$session = $node->background_psql('doomed', on_error_die => 1);
	$session->query_safe("SELECT sum(id) FROM victim $of_one");
	kill 'STOP', $pid;
	$session->query_safe("SELECT sum(id) FROM victim $of_one");
	$session->quit;
	$node->safe_psql('postgres', 'DROP DATABASE doomed');
	kill 'CONT', $pid;
	wait_for_daemon($node);
	ok( $node->poll_query_until(
			'postgres', 'SELECT files = 0 FROM ssdpar.daemon_status()'),
		'DROP DATABASE: the daemon holds no file of it');
	is(join(' ', deleted_files($pid)),
		'', 'DROP DATABASE: and no deleted one');
	check_accounts($node, 'after tables went away');
}

sub test_stop
{
	my ($node) = @_;
	my $pid = wait_for_daemon($node);

	$node->stop('fast');
	ok(!kill(0, $pid), 'the daemon ends with the server');
	$node->start;
	$pid = wait_for_daemon($node);
	$node->stop('immediate');
	ok(ends($pid), 'also when that is stopped at once');
}

# In the log, after this position.
sub says_too_long
{
	my ($node, $log, $what) = @_;

	ok( $node->wait_for_log(
			qr/could not start the prefetch daemon: its socket's path is longer/,
			$log),
		$what);
	return;
}

# There is no daemon, and the log tells why.
sub test_absent
{
	my ($node) = @_;
	my $log;

	$node->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = off');
	$node->start;
	check_rows($node, 'without a daemon');
	cmp_ok(counter($node, 'fallbacks'), '>', 0, 'fallbacks are counted');
	is( $node->safe_psql(
			'postgres', 'SELECT'
			  . " ssdpar_test.read_pages('fact', 1000, 42, 32, 'daemon')"),
		'1000',
		'a page list needs none');
	like(
		$node->safe_psql(
			'postgres', 'SELECT problem FROM ssdpar.daemon_status()'),
		qr/^could not connect to /,
		'daemon_status says why');
	like(
		slurp_file($node->logfile),
		qr/could not connect to the prefetch daemon at /,
		'so does the log');

	$node->append_conf('postgresql.conf', <<'END');
ssdpar.daemon_autostart = on
max_worker_processes = 0
END
	$node->restart;
	check_rows($node, 'without a place for the supervisor');

	$log = -s $node->logfile;
	$node->append_conf('postgresql.conf',
		    "max_worker_processes = 8\nssdpar.daemon_socket = '/tmp/"
		  . ('x' x 150)
		  . "'\n");
	$node->restart;
	check_rows($node, 'with a socket that cannot be');
	says_too_long($node, $log, 'the supervisor says why it rests');
	$node->append_conf('postgresql.conf',
		"ssdpar.daemon_socket = '$socket'\n");
	$node->reload;
	wait_for_daemon($node);
	pass('and starts the daemon after a reload');

	my $moved = "SELECT socket LIKE '%moved.sock' AND problem IS NULL"
	  . ' FROM ssdpar.daemon_status()';
	$node->append_conf('postgresql.conf',
		"ssdpar.daemon_socket = '$socket.moved.sock'\n");
	$node->reload;
	ok($node->poll_query_until('postgres', $moved),
		'a reload takes it to another path');
	ok(!-e $socket, 'the old one is gone');
	$log = -s $node->logfile;
	$node->append_conf('postgresql.conf',
		"ssdpar.daemon_socket = '/tmp/" . ('x' x 150) . "'\n");
	$node->reload;
	ok( $node->poll_query_until(
			'postgres',
			'SELECT count(*) = 0 FROM pg_stat_file('
			  . "'$socket.moved.sock', true) s WHERE s.size IS NOT NULL"),
		'and ends it where there is none');
	says_too_long($node, $log, 'which is said');
	$node->append_conf('postgresql.conf',
		"ssdpar.daemon_socket = '$socket'\n");
	$node->reload;
	wait_for_daemon($node);
}

my $node = make_node();
$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar_test CASCADE');
make_table($node, 'postgres', 'fact');

test_supervised($node);
test_memory($node);
test_stopped($node);
test_taken_away($node);
test_killed($node);
test_stop($node);
test_absent($node);

unlike(slurp_file($node->logfile),
	qr/PANIC|was terminated by signal|TRAP/, 'nothing crashed');
$node->stop;
done_testing();
