# 009_ssdemu.pl
#	The emulated device, mounted: data is read as it was written, faults
#	are switched on and off, it unmounts at its end, and bad input gets one
#	message.
#
# needs: root
# servers: one
#
# Without FUSE, all but the bad input is skipped.  The model's arithmetic is
# tested in test/unit.  No time is asserted.

use strict;
use warnings;

use Cwd qw(abs_path getcwd);
use Errno qw(EINVAL EIO EROFS);
use Fcntl qw(:DEFAULT);
use File::Path qw(make_path);
use IO::Handle;
use IPC::Run qw(run start);
use POSIX qw(mkfifo);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $program = getcwd() . '/bench/ssdemu/ssdemu';
my $simulator = getcwd() . '/bench/ssdsim/ssdsim';
my $place = abs_path(PostgreSQL::Test::Utils::tempdir());
my $mount = "$place/device";
my $pid_file = "$place/pid";

foreach my $needed ($program, $simulator)
{
	plan skip_all => "$needed is not built (make -C bench/ssdemu, bench/ssdsim)"
	  unless -x $needed;
}
make_path($mount);

# (exit status, stdout, stderr)
sub ssdemu
{
	my @arguments = @_;
	my ($out, $err) = ('', '');

	run([ $program, @arguments ], '<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

sub is_mounted
{
	my $found = grep { (split / /)[4] eq $mount }
	  split(/\n/, slurp_file('/proc/self/mountinfo'));
	return $found > 0;
}

# True once the condition holds; waits up to a minute on a busy machine.
sub eventually
{
	my ($condition) = @_;

	foreach (1 .. 600)
	{
		return 1 if $condition->();
		usleep(100_000);
	}
	return 0;
}

sub refuses
{
	my ($name, $status, $message, @arguments) = @_;
	my ($got, $out, $err) = ssdemu(@arguments);

	is($got, $status, "$name: exit status");
	like($err, $message, "$name: message");
	is(scalar(() = $err =~ /^ssdemu: /mg), 1, "$name: one message");
	ok(!is_mounted(), "$name: nothing mounted");
}

sub test_bad_input
{
	refuses('no directories', 2, qr/give two directories/);
	refuses('unknown device', 2, qr/^ssdemu: device tape: No such file.*--list/,
		'--device', 'tape', $mount, $mount);
	append_to_file("$place/bad.ssd", "channels 0\n");
	refuses('impossible device', 2, qr/bad\.ssd, line 1: channels "0" is out/,
		'--device', "$place/bad.ssd", $mount, $mount);
	refuses('device too small', 2, qr/and files need/,
		'--set', 'blocks 40', '--set', 'pages 4', $mount, $mount);
	refuses('unknown option', 2, qr/unknown option --fast/,
		'--fast', $mount, $mount);
	refuses('seed', 2, qr/--seed "x": give a whole number/,
		'--seed', 'x', $mount, $mount);
	refuses('no backing directory', 1, qr/cannot use the backing directory/,
		"$place/none", $mount);
	refuses('no mount point', 1, qr/cannot use the mount point/,
		$mount, "$place/none");
	refuses('nobody to follow', 1, qr/--follow 2147483647/,
		'--background', '--follow', 2147483647, $mount, $mount);
	append_to_file("$place/file", 'x');
	refuses('a pid file that cannot be written', 1, qr/--pid-file .*No such file/,
		'--pid-file', "$place/none/pid", $mount, $mount);
	mkfifo("$place/pipe", 0600) or die $!;
	sysopen(my $reader, "$place/pipe", O_RDWR) or die $!;
	refuses('a pid file that is a pipe', 1, qr/--pid-file .*Invalid argument/,
		'--background', '--follow', $$, '--pid-file', "$place/pipe", $mount, $mount);
	refuses('mount point is a file', 1, qr/is not a directory/,
		$mount, "$place/file");
	my ($status, $out, $err) = ssdemu('--list');
	like($out, qr/^hdd .*^nvme .*^ssd-m .*^ssd-s /ms, 'devices');
}

sub mount_device
{
	my @options = @_;
	my ($status, $out, $err) =
	  ssdemu('--background', '--warm', '--pid-file', $pid_file, @options,
		$mount, $mount);

	is($status, 0, 'mounted') or diag($err);
	ok(is_mounted(), 'it is there when the program returns');
}

sub end_device
{
	my ($pid) = slurp_file($pid_file) =~ /^(\d+)$/;

	kill('TERM', $pid);
	ok(eventually(sub { !is_mounted() && !-e $pid_file }),
		'SIGTERM unmounts and removes the pid file');
}

sub stats
{
	return map { split(/ /, $_, 2) }
	  split(/\n/, slurp_file("$mount/.ssdemu/stats"));
}

# Writes COMMAND to the control file; 0 or errno.
sub control
{
	my ($command) = @_;

	sysopen(my $file, "$mount/.ssdemu/control", O_WRONLY)
	  or die "control: $!";
	my $put = syswrite($file, "$command\n");
	my $errno = defined $put ? 0 : $! + 0;
	close($file);
	return $errno;
}

# Reads a page of a file, bypassing all caches; returns the data or errno.
sub read_direct
{
	my ($path) = @_;
	my ($out, $err) = ('', '');

	run([ 'dd', "if=$path", 'bs=4096', 'count=1', 'iflag=direct' ],
		'<', \undef, '>', \$out, '2>', \$err);
	return ($out, $err);
}

# Does the same random work on a file and a string; are they equal at the end?
sub same_as_memory
{
	my ($path) = @_;
	my $memory = '';

	srand(9);
	sysopen(my $file, $path, O_RDWR | O_CREAT) or die "$path: $!";
	foreach (1 .. 400)
	{
		my ($offset, $size) = (int(rand(200_000)), 1 + int(rand(50_000)));

		if (rand() < 0.7)
		{
			my $data = chr(65 + int(rand(26))) x $size;

			sysseek($file, $offset, 0);
			syswrite($file, $data);
			$memory .= "\0" x ($offset - length($memory))
			  if $offset > length($memory);
			substr($memory, $offset, $size, $data);
		}
		elsif (rand() < 0.5)
		{
			truncate($file, $offset);
			$memory = substr($memory . "\0" x $offset, 0, $offset);
		}
		else
		{
			$file->sync;
		}
	}
	close($file);
	return slurp_file($path) eq $memory;
}

sub test_files
{
	my %before;
	my %after;

	append_to_file("$mount/old", 'o' x 8192);
	mount_device('--device', 'ssd-s', '--seed', 3);
	%before = stats();
	is($before{device}, 'ssd-s', 'device in the statistics');
	is($before{seed}, 3, 'seed in the statistics');
	is((read_direct("$mount/old"))[0], 'o' x 4096, 'an old file is read');
	%after = stats();
	is($after{read_bytes} - $before{read_bytes}, 4096, 'its bytes counted');
	is($after{read_requests} - $before{read_requests}, 1, 'and the request');
	ok(same_as_memory("$mount/work"), 'files hold what was written');
	opendir(my $handle, $mount);
	is(join(' ', sort grep { !/^\.\.?$/ } readdir($handle)),
		'old work', 'the control directory is not listed');
	closedir($handle);
	refuses_second();
	end_device();
	is(-s "$mount/work", length(slurp_file("$mount/work")),
		'the backing directory holds the files');
}

sub refuses_second
{
	my ($status, $out, $err) = ssdemu($mount, $mount);

	is($status, 1, 'a second device on the first is refused');
	like($err, qr/seen through ssdemu already/, 'and told why');
}

# A device described in a file, and overwritten before, so that it collects.
sub test_collecting
{
	my $file = "$place/own.ssd";
	my $err = '';

	system("cp bench/ssdsim/devices/ssd-s.ssd $file") == 0 or die;
	mount_device('--device', $file, '--set', 'blocks 40', '--age', 2,
		'--scheduler', 'paq2');
	is({ stats() }->{device}, $file, 'a device from a file');
	run(
		[
			'dd', 'if=/dev/zero', "of=$mount/zeros", 'bs=64k',
			'count=256', 'oflag=direct', 'conv=fsync'
		],
		'2>', \$err) or die $err;
	my %after = stats();
	is($after{write_bytes}, 256 * 65536, 'its writes are counted');
	is($after{pages_programmed}, 256 * 16, 'and programmed');
	cmp_ok($after{pages_moved}, '>', 0, 'it collects garbage for them');
	cmp_ok($after{flushes}, '>', 0, 'and flushes');
	unlink("$mount/zeros");
	end_device();
}

# Bytes that the device has been told to discard.
sub discarded
{
	return { stats() }->{trim_bytes};
}

sub punch
{
	my ($offset, $length, $file) = @_;

	return system('fallocate', '-p', '-o', $offset, '-l', $length, $file);
}

sub test_discard
{
	my $file = "$mount/discarded";
	my $trace = "$place/trims";
	my $fd;

	mount_device();
	append_to_file($file, 'x' x 1_048_576);
	is(punch(0, 65536, $file), 0, 'a hole without --discard');
	unlink($file);
	is({ stats() }->{trim_requests}, 0, 'the device is not told');
	end_device();

	mount_device('--discard', '--trace', $trace);
	append_to_file($file, 'x' x 1_048_576);
	is(punch(0, 524288, $file), 0, 'a hole');
	is(discarded(), 524288, 'is told');
	is(punch(524289, 8192, $file), 0, 'a hole with edges in blocks');
	is(discarded(), 524288 + 4096, 'whole blocks of it are');
	is(punch(1_000_000, 1 << 40, $file), 0, 'a hole beyond the end');
	is(discarded(), 524288 + 4096 + 45056, 'ends with the file');
	ok(truncate($file, 600_000), 'cut off');
	my $told = 524288 + 4096 + 45056 + 446464;
	is(discarded(), $told, 'what is behind');
	ok(truncate($file, 2_000_000), 'longer');
	is(discarded(), $told, 'is none');
	ok(truncate($file, 600_000), 'cut off again');
	$told += 1_400_832;
	is(discarded(), $told, 'up to the last block');
	ok(link($file, "$file.2"), 'a second name');
	unlink("$file.2");
	open($fd, '<', $file) or die "$file: $!";
	unlink($file);
	is(discarded(), $told, 'a file that is open is used');
	close($fd);
	$told += 602_112;
	ok(eventually(sub { discarded() == $told }), 'once it is closed it is not')
	  or diag(discarded());
	append_to_file($file, 'x' x 8192);
	open($fd, '>', $file) or die "$file: $!";
	close($fd);
	$told += 8192;
	is(discarded(), $told, 'opened anew');
	append_to_file($file, 'x' x 4097);
	append_to_file("$file.new", 'new');
	ok(rename("$file.new", $file), 'another file in its place');
	$told += 8192;
	ok(eventually(sub { discarded() == $told }), 'is told')
	  or diag(discarded());
	is(slurp_file($file), 'new', 'and keeps what it has');
	unlink($file);
	ok(eventually(sub { discarded() == $told + 4096 }), 'the last one');
	end_device();
	my ($status, $out, $err) =
	  ssdsim($trace, '--device', 'ssd-s', '--trace-fold', '--trace-depth', 1);
	is($status, 0, 'the trace is replayed') or diag($err);
	like($out, qr/^trim_mean_us /m, 'with its trims');
}

sub test_faults
{
	my $fd;

	mount_device('--device', 'nvme');
	is(control('eio read 1'), 0, 'errors on');
	like((read_direct("$mount/old"))[1], qr/Input\/output error/, 'EIO');
	is(control("reset\nspike 1 10"), 0, 'spikes on, errors off');
	is((read_direct("$mount/old"))[0], 'o' x 4096, 'data again');
	is({ stats() }->{spikes_injected}, 1, 'a late request was counted');
	is({ stats() }->{errors_injected}, 1, 'and the error before it');
	is(control('eio everything'), EINVAL, 'nonsense is refused');
	is(control("reset\0nonsense"), EINVAL, 'nonsense behind a zero too');
	like(slurp_file("$mount/.ssdemu/control"),
		qr/^spike 1 10\n.*^# not understood.*eio everything/ms,
		'explained, and changes nothing');
	is(control('read-only on'), 0, 'read-only');
	sysopen($fd, "$mount/old", O_RDWR) or die "old: $!";
	syswrite($fd, 'n');
	ok(!$fd->sync && ($! == EROFS || $! == EIO), 'a write is not kept');
	close($fd);
	is(control('reset'), 0, 'reset');
	end_device();
	like(slurp_file("$mount/old"), qr/^o/, 'nor is it in the backing file');
}

# What ssdsim says of a trace: (exit status, stdout, stderr).
sub ssdsim
{
	my ($out, $err) = ('', '');

	run([ $simulator, '--trace', @_ ],
		'<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

# What was asked for is told by ssdsim; of a mark, what was read there.
sub test_trace
{
	my $trace = "$place/trace";

	mount_device('--device', 'ssd-s', '--trace', $trace);
	read_direct("$mount/old");
	is(control('mark ' . 'x' x 300), EINVAL, 'a name that no reader takes');
	is(control("mark one\neio read 0.5"), EINVAL, 'a mark and more');
	is(control('mark one'), 0, 'a mark');
	read_direct("$mount/old");
	is(control('mark'), 0, 'and its end');
	read_direct("$mount/old");
	end_device();
	my ($status, $out, $err) =
	  ssdsim($trace, '--device', 'hdd', '--trace-processes');
	is($status, 0, 'the trace is replayed') or diag($err);
	like($out, qr/\Aone requests=1 bytes=4096 processes=1 ns=[1-9]\d*\n\z/,
		'with what the mark holds');
	($status, $out, $err) =
	  ssdsim($trace, '--device', 'x25-e', '--trace-fold', '--scheduler',
		'paq2');
	is($status, 0, 'by its times, on another device') or diag($err);
	like($out, qr/^read_requests 3$/m, 'with all reads');
	append_to_file($trace, "nonsense\n");
	($status, $out, $err) = ssdsim($trace, '--trace-processes');
	is($status, 1, 'a damaged trace is refused');
	like($err, qr/\Assdsim: .*, line \d+: not understood.*\n\z/, 'and where');
	run([ $simulator, '--requests', 10 ], '>', '/dev/full', '2>', \$err);
	is($? >> 8, 1, 'a result that cannot be written');
	like($err, qr/^ssdsim: could not write the result: .*\n$/, 'is told');
	run([ $simulator, '--requests', 3000000, '--set', 'host 3600 s' ],
		'>', \$out, '2>', \$err);
	is($? >> 8, 1, 'a run that takes longer than the clock goes');
	like($err, qr/^ssdsim: the clock has come to 146 years, .*\n$/, 'is told');
	refuses('trace that cannot be written', 1, qr/--trace .*No such file/,
		'--trace', "$place/none/trace", $mount, $mount);
}

# (exit status, stdout, stderr)
sub probe_inside
{
	my ($out, $err) = ('', '');

	run([ 'ssdpar-probe', '--inside', '--json', '--file-size', '64MB', $mount ],
		'<', \undef, '>', \$out, '2>', \$err);
	return ($? >> 8, $out, $err);
}

# On a machine that is busy it may say less, but nothing else.
# Room for the trace runs out: that is only found out at the end.
sub test_full_trace
{
	my $err = '';
	my $running = start([ $program, '--trace', '/dev/full', $mount, $mount ],
		'<', \undef, '2>', \$err);

	ok(eventually(\&is_mounted), 'mounted in the foreground');
	append_to_file("$mount/traced", 'x' x 4096);
	unlink("$mount/traced");
	$running->signal('TERM');
	$running->finish();
	is($running->result(0), 1, 'a trace that has holes: exit status');
	like($err, qr/^ssdemu: the trace could not be written: .*\n$/, 'and why');
	ok(!is_mounted(), 'nothing stays mounted');
}

sub test_inside
{
	my @before = sort glob("$mount/* $mount/.ssdpar*");

	mount_device('--device', 'ssd-s');
	my ($status, $out, $err) = probe_inside();
	is($status, 0, 'its inside is probed') or diag($err);
	like($err, qr/^ssdpar-probe: this is a FUSE file system: /m,
		'with a word of caution');
	my ($verdict) = $out =~ /"verdict": "(\w+)"/;
	note("verdict: $verdict");
	if ($verdict eq 'pattern')
	{
		like($out,
			qr/"chunk_bytes": 4096,\s+"interleaving_degree": 10,.*"mapping": (?:"write order"|null),/s,
			'it is the device\'s');
	}
	else
	{
		like($out, qr/"chunk_bytes": null,\s+"interleaving_degree": null,/,
			'nothing is said');
	}
	is(control('eio read 0.01'), 0, 'errors on');
	($status, $out, $err) = probe_inside();
	is($status, 1, 'errors end it');
	like($err, qr/^ssdpar-probe: a read of \d+ bytes in .* failed: Input/m,
		'and are told');
	is($out, '', 'no result');
	is(control("reset\nread-only on"), 0, 'read-only');
	($status, $out, $err) = probe_inside();
	is($status, 1, 'what is read-only is refused');
	like($err,
		qr/^ssdpar-probe: .*Read-only file system\nDETAIL: The file system has changed/m,
		'and why');
	is(control('reset'), 0, 'reset');
	end_device();
	is_deeply([ sort glob("$mount/* $mount/.ssdpar*") ],
		\@before, 'nothing is left');
}

# kill -9 of the program that wanted the device takes the device with it.
sub test_follow
{
	my $user = start([ 'sleep', '600' ]);
	my ($pid) = map { $_->{PID} } @{ $user->{KIDS} };

	mount_device('--follow', $pid);
	kill('KILL', $pid);
	ok(eventually(sub { !is_mounted() }), 'gone with whom it followed');
	eval { $user->finish };
}

# The pid file of one that is still ending: the next one waits for it.
sub test_successor
{
	mount_device();
	my ($pid) = slurp_file($pid_file) =~ /^(\d+)$/;
	kill('STOP', $pid);
	system('umount', '-l', $mount) == 0 or die;
	my $next = start([ $program, '--pid-file', $pid_file, $mount, $mount ]);
	my ($next_pid) = map { $_->{PID} } @{ $next->{KIDS} };
	ok(eventually(
			sub {
				grep { (readlink($_) // '') eq $pid_file }
				  glob("/proc/$next_pid/fd/*");
			}),
		'it has opened the pid file');
	kill('CONT', $pid);
	ok(eventually(sub { !readlink("/proc/$pid/exe") }),
		'its predecessor has ended');
	ok(eventually(sub { is_mounted() && -s $pid_file }), 'mounted');
	is(slurp_file($pid_file), "$next_pid\n", 'its own id stands there');
	end_device();
	$next->finish;
}

# A mount whose program was killed: the next one says so, and how to go on.
sub test_killed
{
	my $other = "$place/other";

	make_path($other);
	mount_device();
	my ($pid) = slurp_file($pid_file) =~ /^(\d+)$/;
	-d $mount or die $!;
	kill('KILL', $pid);
	ok(eventually(sub { !opendir(my $dead, $mount) }), 'a dead mount');
	foreach my $pair ([ $mount, $mount ], [ $mount, $other ],
		[ $other, $mount ])
	{
		my ($status, $out, $err) =
		  ssdemu('--background', '--follow', $$, @$pair);

		is($status, 1, 'it is refused');
		like($err,
			qr/\Assdemu: a dead mount lies over \Q$mount\E: .*Run fusermount3 -u \Q$mount\E first.*\n\z/,
			'in one line that says what to do');
	}
	system('umount', $mount) == 0 or die;
	unlink($pid_file);
	mount_device();
	end_device();
}

# Whatever happens, nothing stays mounted.
END
{
	if (defined $mount)
	{
		my $status = $?;

		system('umount', '-l', $mount) if is_mounted();
		$? = $status;
	}
}

test_bad_input();
SKIP:
{
	sysopen(my $fuse, '/dev/fuse', O_RDWR)
	  or skip("no FUSE here: /dev/fuse: $!", 1);
	close($fuse);
	test_files();
	test_collecting();
	test_discard();
	test_faults();
	test_trace();
	test_full_trace();
	test_inside();
	test_follow();
	test_successor();
	test_killed();
}
done_testing();
