# Tests ssdpar-probe and ssdpar.calibrate(): bad places, bad input,
# interruption, forbidden io_uring, --store.  No time is asserted.
#
# Run it as an unprivileged user; as root, only the cases without a server run.
# A full file system is tested in 011_probe_no_space.pl.

use strict;
use warnings;

use Cwd qw(abs_path);
use FindBin;
use IPC::Run;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# the probe inherits ignored signals, as in a script's background
local @SIG{qw(INT TERM HUP)} = ('DEFAULT') x 3;

my $root = $> == 0;
my $dir = abs_path(PostgreSQL::Test::Utils::tempdir());
my @quick =
  split(m{ }, q{--seconds 0.3 --file-size 16MB --sizes 8 --depths 1,4});
my @long = qw(--seconds 50 --file-size 64MB);

# Runs a command; its exit code, stdout and stderr.
sub run_command_fully
{
	my @command = @_;
	my ($out, $err) = ('', '');
	IPC::Run::run(\@command, '<', \'', '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

sub names_in
{
	my ($place) = @_;
	opendir(my $handle, $place) or die "opendir $place: $!";
	my @names = sort grep { !/^\.\.?$/ } readdir($handle);
	closedir($handle);
	return join(' ', @names);
}

# Checks for one message with detail and hint, and nothing on stdout.
sub refused
{
	my ($name, $code, $pattern, @command) = @_;
	my ($exit, $out, $err) = run_command_fully(@command);
	is($exit, $code, "$name: exit code");
	like($err, $pattern, "$name: message");
	is(scalar(() = $err =~ /^(ssdpar-probe:|DETAIL:|HINT:)/mg) -
		  scalar(() = $err =~ /has only/g),
		3, "$name: one message with detail and hint");
	is($out, '', "$name: no result");
	return;
}

sub start_long
{
	my ($stage, @more) = @_;
	my ($out, $err) = ('', '');
	my $run = IPC::Run::start([ 'ssdpar-probe', @long, @more, $dir ],
		'<', \'', '>', \$out, '2>', \$err);
	my $tries = 0;
	while ($err !~ $stage && $tries++ < 1800)
	{
		$run->pump_nb;
		select(undef, undef, undef, 0.1);
	}
	like($err, $stage, 'a long run measures');
	return ($run, \$out, \$err);
}

# --- what it prints

my ($exit, $out, $err) = run_command_fully('ssdpar-probe', @quick, $dir);
is($exit, 0, 'measures') or diag($err);
like($out, qr/random read.*IOPS.*p99.*sequential read.*Summary/s, 'tables');
is(names_in($dir), '', 'nothing is left');

($exit, $out, $err) =
  run_command_fully('ssdpar-probe', '--json', '--writes', @quick, $dir);
is($exit, 0, 'measures writes, as JSON');
is(scalar(() = $out =~ /"operation": "read"/g), 4, 'JSON: reads');
is(scalar(() = $out =~ /"operation": "write"/g), 4, 'JSON: writes');
like($out, qr/^\{\s+"format": "ssdpar-probe",\s+"version": 1,/, 'JSON: head');

($exit, $out, $err) = run_command_fully('ssdpar-probe', '--json', '--seconds=2',
	'--file-size=16MB', $dir);
is($exit, 0, 'measures everything') or diag($err);
my ($streams) = $out =~ /"streams": \[(.*?)\]/s;
is(join(' ', $streams =~ /"queue_depth": (\d+)/g), '1 2 4 8', 'JSON: streams');
unlike($out, qr/"pattern": "streams".*"points"/s, 'JSON: and not among the points');
($exit, $out, $err) = run_command_fully('ssdpar-probe', '--seconds=2',
	'--file-size=16MB', $dir);
like($out, qr/sequential reads of 256 kB at once.*1: \d+ +2: \d+ +4: \d+ +8: \d+/s,
	'streams in a table');

# three passes are a gigabyte, which no device reads in this time
($exit, $out, $err) =
  run_command_fully('ssdpar-probe', '--json',
	split(m{ }, q{--seconds 0.1 --file-size 16MB --sizes 256 --depths 64,256}),
	$dir);
is($exit, 0, 'a device too slow for three passes is measured') or diag($err);
my @passes = $out =~ /"spread": [\d.]+, "passes": (\d+)/g;
is(scalar(@passes), 4, 'JSON: points with passes');
ok((grep { $_ < 3 } @passes), 'in fewer passes');

($exit, $out, $err) = run_command_fully('ssdpar-probe', '--help');
is($exit, 0, '--help');
like($out, qr/Usage:/, '--help says how');
($exit, $out, $err) = run_command_fully('ssdpar-probe', '--version');
like($out, qr/^ssdpar-probe \d/, '--version');
like(
	(run_command_fully('sh', '-c', "ssdpar-probe @quick $dir > /dev/full"))[2],
	qr/could not write the result: No space left/,
	'a result that cannot be written');

# --- what a device shows of its inside; which that is depends on the device

my @inside = split(m{ }, q{--inside --seconds 1 --file-size 16MB});
($exit, $out, $err) = run_command_fully('ssdpar-probe', @inside, $dir);
is($exit, 0, '--inside') or diag($err);
like($out, qr/\nInside\n.*pairs of reads, /s, '--inside: text');
is(names_in($dir), '', '--inside: nothing is left');
($exit, $out, $err) =
  run_command_fully('ssdpar-probe', '--json', @inside, $dir);
is($exit, 0, '--inside, as JSON');
like($out, qr/^\{\s+"format": "ssdpar-probe-inside",\s+"version": 1,/,
	'--inside: JSON, head');
like($out, qr/"verdict": "(pattern|none|unclear)"/, '--inside: JSON, verdict');
like(
	(run_command_fully('sh', '-c', "ssdpar-probe @inside $dir > /dev/full"))
	[2],
	qr/could not write the result: No space left/,
	'--inside: a result that cannot be written');

# --- bad command lines

refused('no directory', 2, qr/no directory given/, 'ssdpar-probe');
refused('two directories', 2, qr/more than one directory/,
	'ssdpar-probe', $dir, $dir);
refused('unknown option', 2, qr/no option "--nosuch"/,
	'ssdpar-probe', '--nosuch', $dir);
refused('bad size', 2, qr/request size 6 kB/,
	'ssdpar-probe', '--sizes', '6', $dir);
refused('bad depth', 2, qr/queue depth 0|"0" is not/,
	'ssdpar-probe', '--depths', '0', $dir);
refused('file too large', 2, qr/scratch file of 2048 MB/,
	'ssdpar-probe', '--file-size', '2GB', $dir);

refused('--inside with --writes', 2, qr/--writes does not go with --inside/,
	'ssdpar-probe', '--inside', '--writes', $dir);

# --- bad places

my $file = "$dir/file";
append_to_file($file, 'x');
refused('missing directory', 1, qr/No such file or directory/,
	'ssdpar-probe', @quick, "$dir/nosuch");
refused('a file', 1, qr/Not a directory/, 'ssdpar-probe', @quick, $file);
refused('/proc', 1, qr/is on proc, which has no device/,
	'ssdpar-probe', @quick, '/proc');
refused('/sys', 1, qr/is on sysfs, which has no device/,
	'ssdpar-probe', @quick, '/sys');

SKIP:
{
	skip '/dev/shm is no tmpfs here', 4
	  unless `stat -f -c %T /dev/shm 2>/dev/null` =~ /tmpfs/;
	refused('tmpfs', 1, qr/is on tmpfs, which has no device/,
		'ssdpar-probe', @quick, '/dev/shm');
}
SKIP:
{
	skip 'root may write anywhere', 4 if $root;
	mkdir("$dir/closed");
	chmod(0555, "$dir/closed");
	refused('not writable', 1, qr/Permission denied/,
		'ssdpar-probe', @quick, "$dir/closed");
	rmdir("$dir/closed");
}
refused('--inside on /proc', 1, qr/is on proc, which has no device/,
	'ssdpar-probe', '--inside', '/proc');
refused('--inside, limit for file sizes', 1, qr/File too large/,
	'sh', '-c', "ulimit -f 1000; exec ssdpar-probe @inside $dir");
refused('limit for file sizes', 1, qr/File too large/,
	'sh', '-c', "ulimit -f 1000; exec ssdpar-probe @quick $dir");
is( (run_command_fully(
		'sh', '-c', "ulimit -f 32768; exec ssdpar-probe @quick $dir"))[0],
	0,
	'a limit that the scratch file is within, though not what is beside it');
unlink($file);

# --- other file systems than the one here

my $other = PostgreSQL::Test::Utils::tempdir() . '/pretended_fs.so';
my $pretends = (run_command_fully('cc', '-shared', '-fPIC', '-o', $other,
		"$FindBin::Bin/../test/pretended_fs.c", '-ldl'))[0] == 0;
my $xfs_uuid = unpack('H*', q{ssdpar's XFS UUI});
SKIP:
{
	skip 'no compiler', 14 unless $pretends;
	my $cached = qr/keeps a cache that direct I\/O does not bypass/;
	local $ENV{LD_PRELOAD} = $other;
	foreach my $inside ([], ['--inside'])
	{
		local $ENV{FS_TYPE} = '2fc12fc1';
		refused("ZFS @$inside", 1, $cached, 'ssdpar-probe', @$inside, $dir);
	}
	{
		local $ENV{FS_CACHED} = 1;
		refused('O_DIRECT in vain', 1, $cached, 'ssdpar-probe', @quick, $dir);
	}

	# whose id is the device's number, which changes after a boot
	local $ENV{FS_TYPE} = '58465342';
	my @identities = map {
		local $ENV{FS_ID} = $_;
		(run_command_fully('ssdpar-probe', '--json', @quick, $dir))[1]
		  =~ /"identity": "(.*)"/;
	} qw(fd00 fd01);
	like($identities[0], qr/ fsid=$xfs_uuid$/, 'XFS: its UUID');
	is($identities[1], $identities[0], 'XFS: the same after each boot');
}

# --- interruption: nothing is left

for my $case (
	[ 'INT', 130, qr/measuring/ ],
	[ 'TERM', 143, qr/measuring/ ],
	[ 'INT', 130, qr/writing/, '--inside' ],
	[ 'INT', 130, qr/comparing/, '--inside' ])
{
	my ($signal, $code, $stage, @more) = @$case;
	my ($run, $result, $messages) = start_long($stage, @more);
	$run->signal($signal);
	$run->finish;
	is($run->full_result(0) >> 8, $code, "SIG$signal: exit code");
	like($$messages, qr/was cancelled/, "SIG$signal: message");
	is($$result, '', "SIG$signal: no result");
	is(names_in($dir), '', "SIG$signal: no file");
}
{
	# as started by nohup
	local $SIG{HUP} = 'IGNORE';
	my ($run) = start_long(qr/measuring/);
	my ($ignored) =
	  slurp_file("/proc/$run->{KIDS}[0]{PID}/status") =~ /^SigIgn:\s*(\S+)/m;
	is(hex($ignored) & 1, 1, 'SIGHUP stays ignored');
	$run->signal('TERM');
	$run->finish;
	is($run->full_result(0) >> 8, 143, '... SIGTERM is not');
}
{
	my ($run) = start_long(qr/measuring/);
	is(names_in($dir), '', 'the scratch file has no name');
	$run->signal('KILL');
	$run->finish;
	is(names_in($dir), '', 'kill -9 leaves no file');
}

# --- io_uring refused

my $deny = "$dir/deny_uring";
my @denials = (
	[ 'EPERM',  qr/kernel\.io_uring_disabled/ ],
	[ 'ENOSYS', qr/CONFIG_IO_URING/ ],
	[ 'ENOMEM', qr/LimitMEMLOCK/ ]);
my $deny_works =
  (run_command_fully('cc', '-o', $deny, "$FindBin::Bin/../test/deny_uring.c"))
  [0] == 0
  && (run_command_fully($deny, 'EPERM', 'true'))[0] == 0;

SKIP:
{
	skip 'no compiler, or no seccomp filters', 4 * @denials
	  unless $deny_works;
	for my $denial (@denials)
	{
		my ($errno, $remedy) = @$denial;
		refused("io_uring $errno", 1, $remedy,
			$deny, $errno, 'ssdpar-probe', @quick, $dir);
	}
}

# --- with a server

if ($root)
{
	note('the server cases need an unprivileged user: initdb refuses root');
	done_testing();
	exit 0;
}

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->start;
my $data = $node->data_dir;
my $conninfo = $node->connstr('postgres');
my $calibrate = "SELECT * FROM ssdpar.calibrate('pg_default', "
  . "seconds => 0.2, file_size_mb => 16, sizes_kb => '{8}', depths => '{1}')";
my $forever = "SELECT * FROM ssdpar.calibrate('pg_default', "
  . "seconds => 600, file_size_mb => 64)";
my $locked = "SELECT count(*) FROM pg_locks WHERE locktype = 'userlock' "
  . "AND classid = 'pg_tablespace'::regclass AND objsubid = 1";

# --store, refused before measuring
sub store_refused
{
	my ($name, $code, $pattern, $where, @more) = @_;
	refused("--store: $name", $code, $pattern,
		'ssdpar-probe', @quick, '--store', $where, @more);
	return;
}
store_refused('no extension', 1, qr/has no extension ssdpar/, $conninfo,
	$data);
$node->safe_psql('postgres',
	'CREATE EXTENSION ssdpar; CREATE ROLE plain LOGIN');
store_refused('no server', 1, qr/could not connect/,
	"host=$dir port=1", $data);
store_refused('no rights', 1, qr/may not write device profiles/,
	"$conninfo user=plain", $data);
store_refused('read-only', 1, qr/is read-only/,
	"$conninfo options='-c default_transaction_read_only=on'", $data);
store_refused('unknown tablespace', 2, qr/has no tablespace "nosuch"/,
	$conninfo, '--tablespace', 'nosuch', $dir);
store_refused('elsewhere', 1, qr/no tablespace of the --store server/,
	$conninfo, $dir);
is($node->safe_psql('postgres', 'SELECT count(*) FROM ssdpar.device'),
	'0', 'nothing was stored');

# --store, finding the tablespace
my $location = "$dir/space";
mkdir($location);
$node->safe_psql('postgres', "CREATE TABLESPACE space LOCATION '$location'");
for my $case (
	[ $data, 'pg_default' ],
	[ "$data/base", 'pg_default' ],
	[ "$data/global", 'pg_global' ],
	[ $location, 'space' ])
{
	my ($place, $tablespace) = @$case;
	$node->safe_psql('postgres',
		'SELECT ssdpar.forget_profile(tablespace) FROM ssdpar.device');
	($exit, $out, $err) = run_command_fully('ssdpar-probe', @quick,
		'--store', $conninfo, $place);
	is($exit, 0, "--store finds $tablespace") or diag($err);
	is( $node->safe_psql('postgres',
			'SELECT tablespace, problem IS NULL FROM ssdpar.device_summary'),
		"$tablespace|t",
		"... and keeps a usable profile");
}
($exit, $out, $err) = run_command_fully('ssdpar-probe', @quick,
	'--store', $conninfo, '--tablespace', 'pg_default', $dir);
is($exit, 0, '--store with --tablespace') or diag($err);
($exit, $out, $err) = run_command_fully('ssdpar-probe', @quick,
	'--store', $conninfo, '--tablespace', 'pg_default', $dir);
is($exit, 0, '--store replaces') or diag($err);

# --store, in a session that the server ends during measuring
sub after_measuring
{
	my ($meanwhile) = @_;
	my $run = IPC::Run::start(
		[
			'ssdpar-probe', '--seconds', '6', '--sizes', '8', '--depths', '1',
			'--file-size', '16MB', '--store', $conninfo,
			'--tablespace', 'pg_default', $dir
		],
		'>', \my $shown, '2>', \my $said);

	$node->poll_query_until('postgres', q{SELECT count(*) = 1
		FROM pg_stat_activity WHERE query ~ 'FROM pg_tablespace WHERE spcname'
		 AND state = 'idle'}) or die 'no session of ssdpar-probe';
	$meanwhile->();
	$run->finish;
	return ($run->full_result(0) >> 8, $said);
}
$node->safe_psql('postgres',
	'SELECT ssdpar.forget_profile(tablespace) FROM ssdpar.device');
($exit, $err) = after_measuring(
	sub {
		$node->safe_psql('postgres', q{SELECT pg_terminate_backend(pid)
			FROM pg_stat_activity WHERE query ~ 'FROM pg_tablespace WHERE spcname'
			 AND state = 'idle'});
	});
is($exit, 0, '--store after its session was ended') or diag($err);
is($node->safe_psql('postgres', 'SELECT tablespace FROM ssdpar.device'),
	'pg_default', '... connects again');
($exit, $err) = after_measuring(sub { $node->stop });
$node->start;
is($exit, 1, '--store after its server was stopped');
like($err, qr/\nssdpar-probe: could not connect to the database of --store\nDETAIL: .*\nHINT: /s,
	'... says so');

# calibrate() in a real tablespace, twice
is( $node->safe_psql('postgres',
		($calibrate =~ s/\*/problem IS NULL/r) =~ s/pg_default/space/r),
	't',
	'calibrates a tablespace elsewhere') for 1 .. 2;

# Cancel within the function: it leaves no lock, descriptor or file.  Ignore a
# descriptor that is closed while they are listed (the server's end of this
# pipe).
my $before = names_in("$data/base");
my ($code, $stdout, $stderr) = $node->psql('postgres', qq{
	CREATE TEMP TABLE fds (line text);
	SET statement_timeout = '2s';
	$forever;
	RESET statement_timeout;
	COPY fds FROM PROGRAM
		'for fd in /proc/\$PPID/fd/*; do readlink \$fd; done; true'
		CSV QUOTE E'\\x01' DELIMITER E'\\x02';
	SELECT count(*) > 0, count(*) FILTER
		(WHERE line LIKE '%io_uring%' OR line LIKE '%(deleted)%') FROM fds;
	$locked;
	$calibrate;
}, on_error_stop => 0);
like($stderr, qr/canceling statement due to statement timeout/,
	'statement_timeout ends a calibration');
like($stdout, qr/^t\|0\n0\npg_default\|/m,
	'... with no descriptor and no lock left, and the next one works');
is(names_in("$data/base"), $before, '... and no file');

# cancel and termination from another session
for my $case (
	[ 'pg_cancel_backend', qr/canceling statement due to user request/ ],
	[ 'pg_terminate_backend', qr/terminating connection/ ])
{
	my ($function, $message) = @$case;
	my $messages = '';
	my $session = IPC::Run::start(
		[ 'psql', '-X', '-d', $conninfo, '-c', $forever ],
		'<', \'', '>', \my $ignored, '2>', \$messages);
	$node->poll_query_until('postgres',
		$locked =~ s/count\(\*\)/count(*) = 1/r)
	  or die 'no calibration to end';
	$node->safe_psql('postgres',
		"SELECT $function(pid) FROM ($locked) x(n), pg_locks l "
		  . "WHERE l.locktype = 'userlock' AND l.objsubid = 1 "
		  . "AND l.classid = 'pg_tablespace'::regclass");
	$session->finish;
	like($messages, $message, "$function ends a calibration");
	ok($node->poll_query_until('postgres',
			$locked =~ s/count\(\*\)/count(*) = 0/r),
		'... with no lock left');
	is(names_in("$data/base"), $before, '... and no file');
}

# a standby stores its own profile
$node->safe_psql('postgres', 'DROP TABLESPACE space');
$node->backup('backup');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
($exit, $out, $err) = run_command_fully('ssdpar-probe', @quick,
	'--store', $standby->connstr('postgres'), $standby->data_dir);
is($exit, 0, '--store on a standby') or diag($err);
is($standby->safe_psql('postgres', $calibrate =~ s/\*/problem IS NULL/r),
	't', 'calibrates a standby');
$standby->stop;
$node->stop;

# A profile on XFS is identified by the file system's UUID, not by the number
# of its device, which another boot may change.
SKIP:
{
	skip 'no compiler', 3 unless $pretends;
	{
		local $ENV{LD_PRELOAD} = $other;
		local $ENV{FS_TYPE} = '58465342';
		local $ENV{FS_ID} = 'fd00';
		$node->start;
	}
	my $problem = q{SELECT problem FROM ssdpar.device_summary};
	$node->safe_psql('postgres', slurp_file('test/invent_device.sql'));
	$node->safe_psql('postgres', $calibrate);
	is($node->safe_psql('postgres', $problem), '', 'XFS: a new profile');
	is( $node->safe_psql('postgres',
			q{SELECT substring(identity FROM 'fsid=(.*)') FROM ssdpar.device}),
		$xfs_uuid, '... has its UUID');
	$node->safe_psql('postgres',
		q{SELECT change_profile(jsonb_build_object('device',
			jsonb_build_object('identity',
			regexp_replace(identity, 'fsid=.*', 'fsid=fd00'))))
			FROM ssdpar.device});
	is($node->safe_psql('postgres', $problem),
		'it was measured on another device', 'XFS: of a device number');
	$node->stop;
}

# a server for which io_uring is forbidden
SKIP:
{
	skip 'no compiler, or no seccomp filters', 2 * @denials
	  unless $deny_works;
	for my $denial (@denials)
	{
		my ($errno, $remedy) = @$denial;
		my @server = ('pg_ctl', '-w', '-s', '-D', $data);
		system_or_bail($deny, $errno, @server, '-l', "$dir/$errno.log",
			'start');
		(undef, undef, $stderr) = $node->psql('postgres', $calibrate);
		like($stderr, $remedy, "calibrate under io_uring $errno: remedy");
		like($stderr,
			qr/tablespace "pg_default": could not set up io_uring/,
			"calibrate under io_uring $errno: message");
		system_or_bail(@server, '-m', 'fast', 'stop');
	}
}

done_testing();
