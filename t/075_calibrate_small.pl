# 075_calibrate_small.pl
#	Calibrating a tablespace whose file system has no room for the whole
#	scratch file: it uses and reports a smaller one.  If there is no room
#	for that either, there is one error and nothing is left, and also if
#	the tablespace is dropped meanwhile.
#
# needs: root
#
# It needs root to mount a file system.

use strict;
use warnings;

use Cwd qw(abs_path);
use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;

my $place = abs_path(PostgreSQL::Test::Utils::tempdir_short());
my ($image, $mount, $data) = ("$place/image", "$place/mount", "$place/data");
my $user = $ENV{SSDPAR_TEST_USER} // 'postgres';

mkdir $mount or die "$mount: $!";
plan skip_all => 'no loop device to mount here'
  if system("truncate -s 256M $image && mkfs.ext4 -q -m 0 $image && "
	  . "mount -o loop $image $mount 2>/dev/null") != 0;

sub as_user
{
	return ('runuser', '-u', $user, '--', @_);
}

END
{
	my $status = $?;

	run([ as_user('pg_ctl', 'stop', '-s', '-m', 'fast', '-D', $data) ])
	  if -e "$data/postmaster.pid";
	system("umount $mount 2>/dev/null");
	$? = $status;
}

# Its output and messages.
sub psql
{
	my ($out, $err) = ('', '');

	run(
		[
			'psql', '-XqAt', '-h', $place, '-U', 'postgres', '-d', 'postgres',
			'-c', $_[0]
		],
		'>', \$out, '2>', \$err);
	chomp $out;
	return ($out, $err);
}

sub sql
{
	my ($out, $err) = psql($_[0]);

	die "$_[0]: $err" if $err =~ /ERROR|FATAL/;
	return $out;
}

# Each query is planned, which triggers the search for what to calibrate.
sub becomes
{
	my ($query, $expected, $what) = @_;
	my $is = '';

	foreach (1 .. 2 * $PostgreSQL::Test::Utils::timeout_default)
	{
		$is = sql($query);
		last if $is eq $expected;
		select(undef, undef, undef, 0.5);
	}
	is($is, $expected, $what);
	return;
}

sub names_in
{
	return join(' ', grep { !/lost\+found|^\Q$mount\E\/PG_/ } glob("$mount/* $mount/.[a-z]*"));
}

chown((getpwnam($user))[ 2, 3 ], $place, $mount) or die "$place: $!";
run([ as_user('initdb', '-N', '-A', 'trust', '-U', 'postgres', '-D', $data) ],
	'>', '/dev/null')
  or die 'initdb';
append_to_file("$data/postgresql.conf", <<"END");
shared_preload_libraries = 'ssdpar'
listen_addresses = ''
unix_socket_directories = '$place'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
autovacuum = off
jit = off
END
run([ as_user('pg_ctl', 'start', '-w', '-s', '-D', $data, '-l', "$data/log") ])
  or die 'pg_ctl';
sql('CREATE EXTENSION ssdpar');
sql("CREATE TABLESPACE small LOCATION '$mount'");

#
# Asked for by a session.
#
my $short =
  "seconds => 0.3, sizes_kb => '{8,256}', depths => '{1,4}'";
my $calibrate = "SELECT 1 FROM ssdpar.calibrate('small', $short)";
my $file = q{SELECT scratch_bytes >> 20 FROM ssdpar.device
	WHERE tablespace = 'small'};
my ($out, $err) = psql($calibrate);

is($out, 1, 'it is calibrated');
like(
	$err,
	qr/NOTICE:  ssdpar: the scratch file has only 128 MB\nDETAIL:  There is no room for 1024 MB in tablespace "small"\. .*\nHINT:  Calibrate again when 1088 MB are free\./,
	'by a smaller file, which is said');
is(sql($file), 128, 'and kept');

#
# Too little for any.
#
system_or_bail(as_user('fallocate', '-l', '130M', "$mount/full"));
my $kept = sql('SELECT ssdpar.profile_document(\'small\')');
($out, $err) = psql($calibrate);
is($out, '', 'no room for that either');
like(
	$err,
	qr/^ERROR:  could not calibrate tablespace "small": too little free space in .*: need 128 MB, have \d+ MB\nDETAIL:  The scratch file takes 64 MB, .*\nHINT:  .*\n$/,
	'is one error');
is(sql('SELECT ssdpar.profile_document(\'small\')'),
	$kept, 'the profile is as it was');
is(names_in(), "$mount/full", 'nothing is left');
($out, $err) = psql(
	"SELECT 1 FROM ssdpar.calibrate('small', $short, file_size_mb => 32)");
is($out, 1, 'a smaller one can be asked for');
unlike($err, qr/no room/, 'and is what was asked for');

#
# Others write meanwhile, until less is free than was left to them.
#
sub begin_long
{
	my ($options, $said) = @_;
	my $session = IPC::Run::start(
		[
			'psql', '-XqAt', '-h', $place, '-U', 'postgres', '-d', 'postgres',
			'-c', "SELECT 1 FROM ssdpar.calibrate('small', 600, $options)"
		],
		'2>', $said);

	becomes(q{SELECT phase FROM ssdpar.pg_stat_progress_calibrate},
		'measuring', 'it is measured');
	return $session;
}

sub free_mb
{
	my ($blocks, $size) = split ' ', `stat -f -c '%a %S' $mount`;

	return $blocks * $size / 2**20;
}

# Leaves this number of MB free in the file system.
sub leave
{
	my $take = int(free_mb()) - $_[0];

	system_or_bail(as_user('fallocate', '-l', "${take}M", "$mount/more"));
	return;
}
my $said = '';
my $session = begin_long('file_size_mb => 64', \$said);

leave(2);
becomes(q{SELECT count(*) FROM ssdpar.pg_stat_progress_calibrate},
	0, 'and no more when others need the space');
sql('SELECT pg_cancel_backend(pid) FROM ssdpar.pg_stat_progress_calibrate');
$session->finish;
like(
	$said,
	qr/ERROR:  could not calibrate tablespace "small": others need the free space in .*: \d MB were left of 4 MB\nDETAIL:  The scratch file of 64 MB is gone, and nothing is kept\.\nHINT:  .*\n$/,
	'which it says');
cmp_ok(free_mb(), '>', 60, 'the space is theirs');
unlink("$mount/more") or die "$mount/more: $!";
is(sql('SELECT scratch_bytes >> 20 FROM ssdpar.device'),
	32, 'and the profile is as it was');

#
# The tablespace is dropped meanwhile.
#
$said = '';
$session = begin_long('file_size_mb => 16', \$said);
sql('DROP TABLESPACE small');
becomes(q{SELECT count(*) FROM ssdpar.pg_stat_progress_calibrate},
	0, 'and no more when it was dropped');
sql('SELECT pg_cancel_backend(pid) FROM ssdpar.pg_stat_progress_calibrate');
$session->finish;
like(
	$said,
	qr/ERROR:  could not calibrate tablespace "small": its directory .* cannot be reached: No such file or directory\nHINT:  Was the tablespace dropped/,
	'which it says');

run([ as_user('pg_ctl', 'stop', '-s', '-m', 'fast', '-D', $data) ]);
is(system("umount $mount"), 0, 'the file system is free');
done_testing();
