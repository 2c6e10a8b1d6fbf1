# 085_foreign_listener.pl
#	The listener at ssdpar.daemon_socket gets descriptors of tables, so
#	sessions send messages only to the server's user, root, and the owner
#	of the socket's directory, and not even to the owner if any user of the
#	host may create files there.
#
# needs: root
#
# It needs root to become another user.

use strict;
use warnings;

use Cwd qw(abs_path);
use IO::Select;
use IO::Socket::UNIX;
use IPC::Run qw(run);
use POSIX qw(setgid setuid);
use PostgreSQL::Test::Utils;
use Socket qw(SOCK_SEQPACKET);
use Test::More;

my $place = abs_path(PostgreSQL::Test::Utils::tempdir_short());
my $data = "$place/data";
my $socket = "$place/shared/ssdpard.sock";
my $user = $ENV{SSDPAR_TEST_USER} // 'postgres';
my ($server_uid, $server_gid) = (getpwnam($user))[ 2, 3 ];
my $other_uid = (getpwnam('daemon'))[2];
my $unmapped_uid = 65534;
my $child;

plan skip_all => 'there is no other user here'
  if !defined $other_uid
  || grep { $_ == $server_uid } $other_uid, $unmapped_uid;

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

END
{
	my $status = $?;

	kill 'KILL', $child if defined $child;
	run([ as_user('pg_ctl', 'stop', '-s', '-m', 'immediate', '-D', $data) ])
	  if -e "$data/postmaster.pid";
	$? = $status;
}

# Listens as this user: reports when it listens, then each message.
sub listen_as
{
	my ($uid, $tell) = @_;
	my $server;
	my $all;

	setgid($server_gid);
	setuid($uid);
	umask 0;
	$server = IO::Socket::UNIX->new(
		Type => SOCK_SEQPACKET,
		Local => $socket,
		Listen => 8) or POSIX::_exit(1);
	syswrite($tell, "listens\n");
	$all = IO::Select->new($server);
	for (;;)
	{
		foreach my $ready ($all->can_read)
		{
			my $packet;

			if ($ready == $server)
			{
				$all->add(scalar $server->accept);
				next;
			}
			if (defined $ready->recv($packet, 4096) && $packet ne '')
			{
				syswrite($tell, "heard\n");
				next;
			}
			$all->remove($ready);
		}
	}
	return;
}

# Does a listener of that user hear from a session with a prefetchable table?
sub hears
{
	my ($uid) = @_;
	my $heard = '';
	my $problem;

	pipe(my $listen, my $tell) or die $!;
	$child = fork() // die $!;
	if ($child == 0)
	{
		close $listen;
		listen_as($uid, $tell);
	}
	close $tell;
	is(scalar <$listen>, "listens\n", "user $uid listens");
	is(sql('SELECT sum(id) FROM fact JOIN one USING (k) WHERE v = 1'),
		200010000, "user $uid: rows");
	$problem = sql('SELECT problem FROM ssdpar.daemon_status()');
	kill 'KILL', $child;
	waitpid $child, 0;
	undef $child;
	$heard .= $_ while <$listen>;
	unlink $socket or die "$socket: $!";
	return ($heard ne '', $problem);
}

mkdir "$place/shared" or die $!;
chmod 01777, "$place/shared" or die $!;
chmod 0755, $place or die $!;
chown $server_uid, $server_gid, $place or die "$place: $!";
run([ as_user('initdb', '-N', '-A', 'trust', '-U', 'postgres', '-D', $data) ],
	'>', '/dev/null')
  or die 'initdb';
append_to_file("$data/postgresql.conf", <<"END");
shared_preload_libraries = 'ssdpar'
listen_addresses = ''
unix_socket_directories = '$place'
ssdpar.daemon_socket = '$socket'
ssdpar.daemon_autostart = off
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.star_access = sequential
shared_buffers = 1MB
autovacuum = off
END
run([ as_user('pg_ctl', 'start', '-w', '-s', '-D', $data, '-l', "$data/log") ])
  or die 'pg_ctl';
sql(<<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE one AS SELECT i AS k, i AS v FROM generate_series(1, 10) i;
CREATE TABLE fact AS SELECT i / 2 AS id, i % 2 + 1 AS k, repeat('x', 230)
  FROM generate_series(1, 40000) i;
SQL
sql('VACUUM ANALYZE fact, one');

my ($heard, $problem) = hears($server_uid);
ok($heard, 'the server\'s user hears');
($heard, $problem) = hears($other_uid);
ok(!$heard, 'another user hears nothing');
like($problem, qr/Operation not permitted/, 'and it is said why');
chown $other_uid, $server_gid, "$place/shared" or die $!;
($heard) = hears($other_uid);
ok($heard, 'in a directory of its own it does');
chown $unmapped_uid, $server_gid, "$place/shared" or die $!;
($heard) = hears($unmapped_uid);
ok(!$heard, 'one of those whom a user namespace does not tell apart does not');
unlike(slurp_file("$data/log"), qr/PANIC|was terminated by signal|TRAP|ERROR/,
	'nothing crashed or erred');
done_testing();
