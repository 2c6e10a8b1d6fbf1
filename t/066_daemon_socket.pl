# 066_daemon_socket.pl
#	The file of the daemon's socket is removed, replaced or shut down while
#	the server runs: this is logged once and repaired if that is safe,
#	other files stay as they are, and no query fails.
#
# t/007_daemon.pl tests the daemon's part, including another user's file.

use strict;
use warnings;

use DaemonStatus;
use IO::Socket::UNIX;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Socket qw(SOCK_SEQPACKET);
use Test::More;
use Time::HiRes qw(usleep);

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $folder = "$place/run";
my $socket = "$folder/ssdpard.sock";
my $rows = 20000;
my $sum = $rows * ($rows + 1) / 2;
my $node = PostgreSQL::Test::Cluster->new('socket');
my $session;
my $listener;

# By a star scan in sequence, which announces what it is going to read.
my $from_fact = 'FROM fact JOIN one USING (k) WHERE v = 1';

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sub said
{
	my ($since, $words) = @_;
	my @lines = slurp_file($node->logfile, $since) =~ /$words/g;

	return scalar @lines;
}

# Rows of a new session, and of one that was connected before.
sub check_rows
{
	my ($when) = @_;
	my $query = "SELECT sum(id), count(*) $from_fact";

	is(sql($query), "$sum|$rows", "$when: rows of a new session");
	is($session->query_safe($query),
		"$sum|$rows", "$when: rows of an old session");
	return;
}

# The daemon handles the old session's requests again.
sub old_session_is_served
{
	my $asked = q{SELECT served + cached FROM ssdpar.daemon_status()};
	my $before = sql($asked);

	foreach (1 .. 1800)
	{
		$session->query_safe("SELECT sum(id) $from_fact");
		return 1 if sql($asked) > $before;
		usleep(100_000);
	}
	return 0;
}

sub comes_back
{
	my ($when, $pid) = @_;

	is(daemon_says(\&sql, 'pid'), $pid, "$when: the same daemon is there again");
	check_rows("$when, mended");
	ok(old_session_is_served(), "$when: the old session is served");
	return;
}

# The file is missing, and is recreated.
sub test_removed
{
	my %ways = (
		'removed' => sub { unlink $socket or die "$socket: $!" },
		'moved away' => sub { rename $socket, "$socket.away" or die $! },
		'shut' => sub { chmod 0, $socket or die $! },
		'its folder replaced' => sub {
			rename $folder, "$folder.old" or die $!;
			mkdir $folder, 0700 or die $!;
		});

	foreach my $way (sort keys %ways)
	{
		my $pid = daemon_says(\&sql, 'pid');
		my $log = -s $node->logfile;

		$ways{$way}->();
		check_rows($way);
		comes_back($way, $pid);
		is(said($log, qr/was missing, so it was made/),
			1, "$way: it is said");
		unlink "$socket.away";
	}
	return;
}

sub listener
{
	return IO::Socket::UNIX->new(
		Type => SOCK_SEQPACKET,
		Local => $socket,
		Listen => 2) // die "$socket: $!";
}

# How it is put there, how it is removed, and the log message.
my %foreign = (
	'a file' => {
		put => sub { append_to_file($socket, 'precious') },
		stays => sub { -f $socket && slurp_file($socket) eq 'precious' },
		take => sub { unlink $socket },
		words => qr/exists and is no socket/,
	},
	'a directory' => {
		put => sub { mkdir $socket or die $! },
		stays => sub { -d $socket },
		take => sub { rmdir $socket },
		words => qr/exists and is no socket/,
	},
	'a silent listener' => {
		put => sub { $listener = listener() },
		stays => sub { -S $socket },
		# whose file remains, as after a kill
		take => sub { undef $listener },
		words => qr/another daemon listens/,
	});

sub test_replaced
{
	foreach my $what (sort keys %foreign)
	{
		my $way = $foreign{$what};
		my $pid = daemon_says(\&sql, 'pid');
		my $log = -s $node->logfile;

		unlink $socket or die "$socket: $!";
		$way->{put}->();
		$node->wait_for_log(qr/no session can connect until this is fixed/,
			$log);
		check_rows($what);
		# Wait for two more checks, which might log it again.
		usleep(5_000_000) if $what eq 'a file';
		is(said($log, qr/no session can connect[^\n]*$way->{words}/),
			1, "$what: it is said once");
		is(said($log, qr/started the prefetch daemon|ended with exit code/),
			0, "$what: no daemon is started for it");
		ok($way->{stays}->(), "$what: it stays");
		$way->{take}->();
		comes_back($what, $pid);
	}
	return;
}

# The file exists when a daemon starts.
sub test_in_the_way
{
	my %beginnings = (
		'daemon killed' => sub { kill 'KILL', $_[0] },
		'server started' => sub { $node->restart });

	foreach my $when (sort keys %beginnings)
	{
		my $pid = daemon_says(\&sql, 'pid');
		my $log = -s $node->logfile;

		$session->quit if $when eq 'server started';
		unlink $socket or die "$socket: $!";
		append_to_file($socket, 'precious');
		$beginnings{$when}->($pid);
		$session = $node->background_psql('postgres', on_error_die => 1)
		  if $when eq 'server started';
		$node->wait_for_log(qr/started the prefetch daemon/, $log);
		$node->wait_for_log(qr/ssdpard: ready/, $log);
		check_rows("a file, $when");
		is(said($log, qr/ended with exit code/),
			0, "a file, $when: the daemon waits");
		is(slurp_file($socket), 'precious', "a file, $when: it stays");
		unlink $socket or die "$socket: $!";
		isnt(daemon_says(\&sql, 'pid'), $pid, "$when: a new daemon comes");
		check_rows("$when, mended");
	}
	return;
}

# Another listener sends endless farewells; some of them are read.
sub test_babbles
{
	my $pid = daemon_says(\&sql, 'pid');
	my $query = "SELECT sum(id) $from_fact";
	my $refusal = pack('L S S L L L L Z96',
		0x50445353, 1, 8, 120, 1, 2, 0, 'go away');
	my $unreadable = pack('L S S L L L L Z96',
		0x50445353, 1, 8, 120, 1, 2, 0, "\nFATAL:  \xff");
	my $other = $node->background_psql('postgres', on_error_die => 1);
	my $log = -s $node->logfile;
	my ($peer, $hello);

	unlink $socket or die "$socket: $!";
	$listener = listener();
	$other->query_safe($query);
	# the daemon checks whether there is a listener, and logs nothing
	do
	{
		$peer = $listener->accept // die "$!";
	} until defined $peer->recv($hello, 2000) && $hello ne '';
	send($peer, $unreadable, 0) // die "$!";
	foreach (1 .. 50)
	{
		send($peer, $refusal, 0) // die "$!";
	}
	undef $peer;
	is($other->query_safe($query), $sum, 'babble: rows');
	is(said($log, qr/LOG:  ssdpard refused this session: go away/),
		15, 'babble: it is not listened to for ever');
	is(said($log, qr/\xff/), 0, 'babble: what no text can be is no text');
	$other->quit;
	undef $listener;
	is(daemon_says(\&sql, 'pid'), $pid, 'babble: the daemon is there again');
	return;
}

mkdir $folder, 0700 or die "$folder: $!";
$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.star_access = sequential
ssdpar.daemon_socket = '$socket'
shared_buffers = 1MB
autovacuum = off
synchronize_seqscans = off
END
$node->start;
sql('CREATE EXTENSION ssdpar');
sql('CREATE TABLE one AS SELECT i AS k, i AS v FROM generate_series(1, 10) i');
sql('CREATE TABLE fact AS SELECT (i / 2)::bigint AS id, i % 2 + 1 AS k,'
	  . " repeat('x', 230) AS filler FROM generate_series(1, 2 * $rows) i");
sql('VACUUM ANALYZE fact, one');
daemon_says(\&sql, 'pid');
$session = $node->background_psql('postgres', on_error_die => 1);
check_rows('before');

test_removed();
test_replaced();
test_in_the_way();
test_babbles();

$session->quit;
unlink $socket or die "$socket: $!";
append_to_file($socket, 'precious');
$node->stop;
is(slurp_file($socket), 'precious', 'at the end a file stays that is not ours');
unlike(slurp_file($node->logfile),
	qr/PANIC|was terminated by signal|TRAP|ERROR/, 'nothing crashed or erred');
done_testing();
