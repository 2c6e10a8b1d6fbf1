# 088_daemon_lost_file.pl
#	A file for which the daemon had no room is sent again when the session
#	requests it again; a file on NFS is never sent.

use strict;
use warnings;

use DaemonStatus;
use FindBin;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';
my $node = PostgreSQL::Test::Cluster->new('lost');

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sub status
{
	return daemon_says(\&sql, $_[0]);
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
CREATE TABLE fact AS SELECT generate_series(1, 10000) AS id;
CREATE TABLE other AS SELECT 1 AS id;
CHECKPOINT;
END

# There is room for one file, which another table uses.  The session makes so
# many requests that it never resends a file for lack of requests.
my $daemon =
  IPC::Run::start([ 'ssdpard', "--socket=$socket", '--max_files=1' ]);
status('pid');
sql(<<'END');
DO $$
BEGIN
  PERFORM ssdpar_test.announce('other', '{0}');
  FOR i IN 1 .. 600 LOOP
    PERFORM ssdpar_test.announce('fact', '{0}');
    PERFORM pg_sleep(0.05);
    EXIT WHEN (SELECT served + cached >= 2 FROM ssdpar.daemon_status());
  END LOOP;
END $$
END
is(status('dropped > 0'), 't', 'a file finds no room');
is(status('served + cached >= 2'), 't',
	'... it is handed over again, and read once there is');

# On NFS, its directory could not be removed while the daemon has it open.
my $other = PostgreSQL::Test::Utils::tempdir() . '/pretended_fs.so';
my $compiled = (run_command([ 'cc', '--version' ]))[0] ne '';
SKIP:
{
	skip 'no compiler', 3 unless $compiled;
	system_or_bail('cc', '-shared', '-fPIC', '-o', $other,
		"$FindBin::Bin/../test/pretended_fs.c", '-ldl');

	# The amount that one request of a session adds to a counter.
	my $adds = sub {
		my $count = "SELECT $_[0] FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL";
		my $before = sql($count);

		sql("SELECT ssdpar_test.announce('fact', '{0}')");
		return sql($count) - $before;
	};
	$node->stop;
	{
		local $ENV{LD_PRELOAD} = $other;
		local $ENV{FS_TYPE} = '6969';
		$node->start;
	}
	is($adds->('requests'), 0, 'a file on NFS is not handed over');
	is($adds->('fallbacks'), 1, '... and its reads are not helped');
	$node->restart;
	is($adds->('requests'), 1, 'elsewhere it is');
}
$daemon->signal('TERM');
ok($daemon->finish, 'the daemon ends well');

$node->stop;
done_testing();
