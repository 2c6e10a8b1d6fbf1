# 069_daemon_frozen.pl
#	The daemon can be neither continued nor killed, as when a device hangs:
#	the server still ends, and the daemon ends when it can.
#
# needs: root
#
# Only the freezer of control groups' first version can simulate this; if it is
# missing, all is skipped.

use strict;
use warnings;

use Cwd qw(abs_path);
use DaemonStatus;
use IPC::Run qw(run);
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $freezer = "/sys/fs/cgroup/freezer/ssdpar_test.$$";
my $place = abs_path(PostgreSQL::Test::Utils::tempdir_short());
my $data = "$place/data";
my $user = $ENV{SSDPAR_TEST_USER} // 'postgres';
my $pid;

sub write_group
{
	my ($file, $what) = @_;

	open(my $out, '>', "$freezer/$file") or die "$freezer/$file: $!";
	print $out $what;
	close($out) or die "$freezer/$file: $!";
	return;
}

sub as_user
{
	return ('runuser', '-u', $user, '--', @_);
}

sub sql
{
	my $out = '';

	run(
		[
			'psql', '-XqAt', '-h', $place, '-U', 'postgres', '-d', 'postgres',
			'-c', $_[0]
		],
		'>', \$out) or die $_[0];
	chomp $out;
	return $out;
}

sub ends
{
	foreach (1 .. 600)
	{
		return 1 unless kill 0, $pid;
		usleep(100_000);
	}
	return 0;
}

END
{
	my $status = $?;

	eval { write_group('freezer.state', 'THAWED') } if defined $pid;
	run([ as_user('pg_ctl', 'stop', '-s', '-m', 'immediate', '-D', $data) ])
	  if -e "$data/postmaster.pid";
	ends() if defined $pid;
	rmdir $freezer;
	$? = $status;
}

mkdir($freezer) && -e "$freezer/freezer.state"
  or plan skip_all => 'no freezer of control groups here';
chown((getpwnam($user))[ 2, 3 ], $place) or die "$place: $!";
run([ as_user('initdb', '-N', '-A', 'trust', '-U', 'postgres', '-D', $data) ],
	'>', '/dev/null')
  or die 'initdb';
append_to_file("$data/postgresql.conf", <<"END");
shared_preload_libraries = 'ssdpar'
listen_addresses = ''
unix_socket_directories = '$place'
ssdpar.daemon_socket = '$place/ssdpard.sock'
END
run([ as_user('pg_ctl', 'start', '-w', '-s', '-D', $data, '-l', "$data/log") ])
  or die 'pg_ctl';
sql('CREATE EXTENSION ssdpar');
$pid = daemon_says(\&sql, 'pid');

write_group('tasks', $pid);
write_group('freezer.state', 'FROZEN');
like(sql('SELECT problem FROM ssdpar.daemon_status()'),
	qr/no answer/, 'the daemon does not move');
# Immediate messages, and one that takes two times five seconds.
ok( run([ as_user('pg_ctl', 'stop', '-s', '-m', 'fast', '-D', $data) ]),
	'the server ends');
like(slurp_file("$data/log"),
	qr/was killed but has not ended/, 'why it took so long is said');
ok(kill(0, $pid), 'the daemon has not ended');
write_group('freezer.state', 'THAWED');
ok(ends(), 'it does when it can');
done_testing();
