# 087_daemon_handles.pl
#	The handles by which a session names files to the daemon: ranges are
#	sent before another file reuses their handle.
#
# This script acts as the daemon, and checks what it receives.

use strict;
use warnings;

use IO::Socket::UNIX;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Socket qw(SOCK_SEQPACKET);
use Test::More;

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';
my $node = PostgreSQL::Test::Cluster->new('handles');
my $listener = IO::Socket::UNIX->new(
	Type => SOCK_SEQPACKET,
	Local => $socket,
	Listen => 5) or die "$socket: $!";
my %kinds = (1 => 'HELLO', 2 => 'FILE', 3 => 'READ');

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

# Messages of the next session, up to its end; READ with its ranges' count.
sub conversation
{
	my $session = $listener->accept() or die "accept: $!";
	my @heard;
	my $packet;

	while (defined $session->recv($packet, 2000) && $packet ne '')
	{
		my ($kind, $count) = unpack('x6 v x8 v', $packet);

		push @heard, $kinds{$kind} . ($kind == 3 ? "($count)" : '');
	}
	return join ' ', @heard;
}

# Requests blocks of the table in one session; returns its messages.
sub announce
{
	my ($blocks) = @_;

	sql("SELECT ssdpar_test.announce('fact', '{$blocks}')");
	return conversation();
}

$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.daemon_socket = '$socket'
autovacuum = off
END
$node->start;
sql(<<'END');
CREATE EXTENSION ssdpar_test CASCADE;
CREATE TABLE fact AS SELECT 1 AS id;
END

# Segments after the first, of one page each.
my $segment = sql(
	q{SELECT setting FROM pg_settings WHERE name = 'segment_size'});
my ($near, $far) = ($segment, 1024 * $segment);
my $path =
  $node->data_dir . '/' . sql(q{SELECT pg_relation_filepath('fact')});
append_to_file("$path.$_", "\0" x 8192) foreach 1, 1024;

is(announce("0, $near, 0, $near"),
	'HELLO FILE FILE READ(4)', 'two files, one message');
is( announce("0, $near, 0, $far, $far"),
	'HELLO FILE FILE READ(3) FILE READ(2)',
	'segment 1024 takes the handle of segment 0: ranges of that are sent before'
);

unlink "$path.1", "$path.1024";
$node->stop;
done_testing();
