# 016_faults.pl
#	A device that fails under the daemon: errors, late and short reads, and
#	no response for ten seconds.  No query may notice failures that only
#	the daemon sees; failures that the query sees give the server's own
#	error, word for word, as without a daemon.
#
# needs: root
#
# The table is on the emulated device (tested alone in t/009_ssdemu.pl), whose
# faults are switched while a query is stopped.  A page cache turns a device's
# short read into an error, so the daemon's short reads come from a replaced
# pread (test/daemon/bad_pread.c).  Without FUSE, all is skipped.  No time is
# asserted.

use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use DaemonStatus;
use Fcntl qw(:DEFAULT);
use File::Path qw(make_path);
use IPC::Run qw(run start);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $top = getcwd();
my $emulator = "$top/bench/ssdemu/ssdemu";
my $user = $ENV{SSDPAR_TEST_USER} // 'postgres';
my $place = abs_path(PostgreSQL::Test::Utils::tempdir_short());
my $device = "$place/device";
my $control = "$device/.ssdemu/control";
my $data = "$place/data";
my $rows = 60000;
my $sum = $rows * ($rows + 1) / 2;
my $daemon;    # started by hand

# The server's message, for an empty read and for one page of a longer read.
my $error = qr{ERROR:  could not read blocks? [\d.]+ in file "[^"]+": }
  . qr{(?:Input/output error|read only \d+ of \d+ bytes)};

plan skip_all => "$emulator is not built (make -C bench/ssdemu)"
  unless -x $emulator;
sysopen(my $fuse, '/dev/fuse', O_RDWR)
  or plan skip_all => "no FUSE here: /dev/fuse: $!";
close($fuse);

sub as_user
{
	my @command = @_;

	run([ 'runuser', '-u', $user, '--', @command ],
		'<', \undef, '>', '/dev/null', '2>', "$place/err")
	  or die "@command: " . slurp_file("$place/err");
	return;
}

# (standard output, standard error) of psql with this script.
sub psql
{
	my ($script) = @_;
	my ($out, $err) = ('', '');

	run(
		[
			'psql', '-XqAt', '-v', 'ON_ERROR_STOP=1', '-h', "$place/socket",
			'-U', 'postgres', '-d', 'postgres'
		],
		'<', \$script, '>', \$out, '2>', \$err);
	chomp $out;
	return ($out, $err);
}

sub sql
{
	my ($script) = @_;
	my ($out, $err) = psql($script);

	die "$script: $err" if $err ne '';
	return $out;
}

# True once the query says so; waits up to a minute on a busy machine.
sub eventually
{
	my ($query) = @_;

	foreach (1 .. 600)
	{
		return 1 if sql($query) eq 't';
		usleep(100_000);
	}
	return 0;
}

sub make_places
{
	chmod 0755, $place or die "$place: $!";
	foreach my $path ($device, "$device/space", $data, "$place/socket")
	{
		make_path($path);
		chown((getpwnam($user))[ 2, 3 ], $path) or die "$path: $!";
		chmod 0700, $path;
	}
	chmod 0755, $device, "$place/socket";
	system_or_bail($emulator, '--background', '--follow', $$, '--pid-file',
		"$place/pid", '--device', 'nvme', $device, $device);
	return;
}

sub server
{
	my ($command, @options) = @_;

	as_user('pg_ctl', $command, '-w', '-s', '-D', $data, '-l', "$data/log",
		@options);
	return;
}

sub wait_for_daemon
{
	return daemon_says(\&sql, 'pid');
}

sub make_server
{
	as_user('initdb', '-N', '-A', 'trust', '-U', 'postgres', '-D', $data);
	append_to_file("$data/postgresql.conf", <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 1MB
ssdpar.star_access = sequential
ssdpar.daemon_socket = '$place/socket/ssdpard.sock'
listen_addresses = ''
unix_socket_directories = '$place/socket'
shared_buffers = 1MB
max_parallel_workers_per_gather = 0
autovacuum = off
synchronize_seqscans = off
fsync = off
END
	server('start');
	sql('CREATE EXTENSION ssdpar');
	sql('CREATE EXTENSION ssdpar_test');
	sql("CREATE TABLESPACE far LOCATION '$device/space'");
	sql(<<"END");
CREATE TABLE one AS SELECT i AS k, i AS v FROM generate_series(1, 10) i;
CREATE TABLE fact TABLESPACE far AS
  SELECT (i / 2)::bigint AS id, i % 2 + 1 AS k, repeat('x', 230) AS filler
    FROM generate_series(1, 2 * $rows) i;
VACUUM ANALYZE fact, one;
CHECKPOINT;
END
	return;
}

# Evicts the table's files from the page cache above the device.
sub evict
{
	foreach my $file (glob("$device/space/*/*/*"))
	{
		system_or_bail('sync', $file);
		system_or_bail('dd', 'if=/dev/null', "of=$file", 'conv=notrunc',
			'oflag=nocache', 'count=0', 'status=none');
	}
	return;
}

sub faults
{
	my ($commands) = @_;

	sysopen(my $file, $control, O_WRONLY) or die "$control: $!";
	syswrite($file, "$commands\n") or die "$commands: $!";
	close($file);
	return;
}

# By a star scan in sequence, which announces what it is going to read.
my $from_fact = 'FROM fact JOIN one USING (k) WHERE v = 1';

# A scan from nothing cached; its sum or its error.
sub scan
{
	my ($settings) = @_;
	my ($out, $err);

	evict();
	($out, $err) = psql("$settings; SELECT sum(id), count(*) $from_fact");
	return $err eq '' ? $out : $err;
}

sub good_accounts
{
	my ($when) = @_;

	ok(eventually('SELECT requests = served + cached + stale + dropped'
				. ' FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL'),
		"$when: served + cached + stale + dropped = sent");
	return;
}

# The same process as before reads what is requested.
sub healthy
{
	my ($when, $pid) = @_;
	my $before = daemon_says(\&sql, 'served');
	my $served = 0;

	faults('reset');
	# A failing device is not used for a while.
	foreach (1 .. 600)
	{
		is(scan('SET ssdpar.prefetch = daemon'),
			"$sum|$rows", "$when: rows afterwards")
		  if $_ == 1;
		$served = daemon_says(\&sql, "served > $before");
		last if $served eq 't';
		scan('SET ssdpar.prefetch = daemon');
		usleep(100_000);
	}
	is($served, 't', "$when: the daemon reads again");
	is(wait_for_daemon(), $pid, "$when: it is the same daemon");
	good_accounts($when);
	return;
}

# While a cursor stands still, the daemon does what it was told before.
sub fetch_around
{
	my ($pid, $commands, $done) = @_;

	evict();
	return psql(<<"END");
BEGIN;
DECLARE rows CURSOR FOR SELECT id $from_fact;
FETCH 3000 FROM rows;
\\! kill -STOP $pid
FETCH 20000 FROM rows;
\\! echo '$commands' > $control
\\! kill -CONT $pid
DO \$\$ BEGIN
  FOR i IN 1 .. 600 LOOP
    EXIT WHEN (SELECT $done AND outstanding = 0 AND queued = 0
                 FROM ssdpar.daemon_status());
    PERFORM pg_sleep(0.1);
  END LOOP;
END \$\$;
\\! echo reset > $control
FETCH ALL FROM rows;
COMMIT;
END
}

sub is_every_row
{
	my ($name, $out, $err) = @_;
	my $total = 0;
	my @ids = split /\n/, $out;

	$total += $_ foreach @ids;
	is($err, '', "$name: nothing was said");
	is("$total|" . @ids, "$sum|$rows", "$name: rows");
	return;
}

sub test_daemon_alone
{
	my $pid = wait_for_daemon();
	my %faults = ('errors' => 'eio read 1', 'some errors' => 'eio read 0.3');

	foreach my $name (sort keys %faults)
	{
		my $errors = daemon_says(\&sql, 'errors');
		my $met;

		# The scan may have read most of the requested pages itself; then too
		# few requests are left for some to fail.
		foreach (1 .. 3)
		{
			is_every_row($name,
				fetch_around($pid, $faults{$name}, "errors > $errors"));
			$met = daemon_says(\&sql, "errors > $errors");
			last if $met eq 't';
		}
		is($met, 't', "$name: the daemon met them");
		healthy($name, $pid);
	}
	is_every_row('late reads', fetch_around($pid, 'spike 1 100000', 'true'));
	healthy('late reads', $pid);
	return;
}

sub test_throughout
{
	my $pid = wait_for_daemon();
	my $alone;
	my $spikes;

	faults('eio read 1');
	$alone = scan('SET ssdpar.enabled = off');
	like($alone, qr/\A$error\n\z/,
		'errors throughout: the server fails by itself');
	is(scan('SET ssdpar.prefetch = daemon'),
		$alone, 'errors throughout: with the daemon in the same words');
	healthy('errors throughout', $pid);

	faults('eio read 0.05');
	foreach my $i (1 .. 10)
	{
		like(scan('SET ssdpar.prefetch = daemon'),
			qr/\A(?:\Q$sum|$rows\E|$error\n)\z/,
			"some errors throughout, scan $i: all rows, or that error");
	}
	healthy('some errors throughout', $pid);

	faults('spike 0.2 20000');
	is(scan('SET ssdpar.prefetch = daemon'),
		"$sum|$rows", 'late reads throughout: rows');
	($spikes) = slurp_file("$device/.ssdemu/stats") =~
	  /^spikes_injected (\d+)$/m;
	cmp_ok($spikes, '>', 0, 'late reads throughout: there were some');
	healthy('late reads throughout', $pid);
	return;
}

sub spikes
{
	my ($spikes) = slurp_file("$device/.ssdemu/stats") =~
	  /^spikes_injected (\d+)$/m;

	return $spikes;
}

# Concurrent star scans on a device that does not answer for ten seconds.
sub test_silence
{
	my $pid = wait_for_daemon();
	my $query = 'SELECT count(*), sum(f.id) FROM fact f, few WHERE f.id = few.id';
	my @ways = map {
		my $access = $_;
		map { "SET ssdpar.star_access = $access; SET ssdpar.prefetch = $_;" }
		  qw(auto daemon)
	} qw(bitmap sequential);
	my (@sessions, $expected, $before);

	sql(<<"END");
CREATE TABLE few TABLESPACE far AS
  SELECT (i * 50)::bigint AS id, repeat('x', 500) AS filler
    FROM generate_series(1, 1000) i;
ALTER TABLE few ADD PRIMARY KEY (id);
CREATE INDEX ON fact (id) TABLESPACE far;
VACUUM ANALYZE few;
CHECKPOINT;
END
	$expected = sql("SET ssdpar.enabled = off; $query");
	foreach my $way (@ways)
	{
		like(sql("$way EXPLAIN $query"), qr/SsdparStarScan/, "a star scan: $way");
	}
	evict();
	$before = spikes();
	faults('spike 1 10000000');
	foreach my $way (@ways)
	{
		my %session = (way => $way, in => "$way $query", out => '', err => '');

		$session{run} = start(
			[
				'psql', '-XqAt', '-h', "$place/socket",
				'-U', 'postgres', '-d', 'postgres', '-c', $session{in}
			],
			'<', \undef, '>', \$session{out}, '2>', \$session{err});
		push @sessions, \%session;
	}
	foreach (1 .. 600)
	{
		last if spikes() > $before;
		usleep(100_000);
	}
	cmp_ok(spikes(), '>', $before, 'silence: the device has been asked');
	is(sql("SELECT count(*) > 0 FROM pg_class"),
		't', 'silence: who does not need it is answered');
	isnt(daemon_says(\&sql, 'pid'), '', 'silence: by the daemon, too');
	faults('reset');
	foreach my $session (@sessions)
	{
		$session->{run}->finish;
		is($session->{err} . $session->{out},
			"$expected\n", "silence: rows: $session->{way}");
	}
	# An index of few would be read instead of the table.
	sql('DROP TABLE few; DROP INDEX fact_id_idx');
	healthy('silence', $pid);
	return;
}

# A daemon for which every file fails in its second MB and is short in its
# third. The kernel also reads ahead for a scan, but not for random pages.
sub test_short_reads
{
	my $pid;

	system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/bad_pread.so",
		"$top/test/daemon/bad_pread.c", '-ldl');
	append_to_file("$data/postgresql.conf",
		"ssdpar.daemon_autostart = off\n");
	server('restart');
	$daemon = start([
		'runuser', '-u', $user, '--', 'env',
		"LD_PRELOAD=$place/bad_pread.so", dirname_of('postgres') . '/ssdpard',
		"--socket=$place/socket/ssdpard.sock", '--method=threads' ],
		'<', \undef, '>', '/dev/null', '2>', "$place/daemon.err");
	$pid = wait_for_daemon();
	is(scan('SET ssdpar.prefetch = daemon'),
		"$sum|$rows", 'short reads: rows');
	evict();
	is( sql('SELECT'
			  . " ssdpar_test.read_pages('fact', 2000, 16, 32, 'daemon')"),
		'2000',
		'short reads: a page list is read');
	ok( eventually(
			'SELECT errors > 0 AND short_reads > 0 AND served > 0'
			  . ' FROM ssdpar.daemon_status()'),
		'short reads: the daemon met them');
	healthy('short reads', $pid);
	kill 'TERM', $pid;
	$daemon->finish;
	undef $daemon;
	return;
}

# Where the server's programs are.
sub dirname_of
{
	my ($program) = @_;
	my ($found) = grep { -x "$_/$program" } split /:/, $ENV{PATH};

	return $found // die "$program is not in the path";
}

# Whatever happens, no process and no mount remains.
END
{
	my $status = $?;

	if (-e "$data/postmaster.pid")
	{
		eval { server('stop', '-m', 'immediate') };
	}
	$daemon->kill_kill if defined $daemon;
	if (-e "$place/pid")
	{
		kill 'TERM', slurp_file("$place/pid") =~ /(\d+)/;
		foreach (1 .. 100)
		{
			last unless -e "$place/pid";
			usleep(100_000);
		}
	}
	$? = $status;
}

make_places();
make_server();
test_daemon_alone();
test_throughout();
test_silence();
test_short_reads();
unlike(slurp_file("$data/log"),
	qr/PANIC|was terminated by signal|TRAP/, 'nothing crashed');
server('stop');
done_testing();
