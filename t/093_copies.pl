# 093_copies.pl
#	The daemon's socket is in the data directory: pg_basebackup does not
#	warn about it, and pg_rewind ignores it, both from a running server to
#	a crashed one and back from a stopped one.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use DaemonStatus;

# Short enough for a socket in a data directory, wherever the tests run.
my $folder = PostgreSQL::Test::Utils::tempdir_short();

sub wait_for_daemon
{
	my ($server) = @_;
	daemon_says(sub { $server->safe_psql('postgres', $_[0]) }, 'pid');
	return;
}

sub server_named
{
	my ($name) = @_;
	my $server = PostgreSQL::Test::Cluster->new($name);

	$server->{_basedir} = "$folder/$name";
	mkdir $server->basedir or die "$folder/$name: $!";
	return $server;
}

my $first = server_named('a');
$first->init(allows_streaming => 1);
$first->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
wal_log_hints = on
wal_keep_size = 320MB
autovacuum = off
CONF
$first->start;
$first->safe_psql('postgres',
	'CREATE EXTENSION ssdpar; CREATE TABLE kept AS SELECT 1 AS n');
wait_for_daemon($first);

my ($out, $said) = run_command(
	[
		'pg_basebackup', '--no-sync', '--checkpoint=fast',
		'-D' => "$folder/copy",
		'-h' => $first->host,
		'-p' => $first->port
	]);
is($said, '', 'a base backup says nothing of the daemon');

my $second = server_named('b');
rename "$folder/copy", $second->data_dir or die "$folder/copy: $!";
$second->append_conf('postgresql.conf', 'port = ' . $second->port);
$second->enable_streaming($first);
$second->set_standby_mode;
$second->start;
wait_for_daemon($second);
$first->wait_for_catchup($second);

# Rewinds $stopped to the point where it diverged from the source.
sub rewind
{
	my ($stopped, $how, @source) = @_;
	my $conf = $stopped->data_dir . '/postgresql.conf';
	my $kept = slurp_file($conf);
	my ($result, $error) = run_command(
		[
			'pg_rewind', '--no-sync', '--debug',
			'--target-pgdata' => $stopped->data_dir,
			@source
		]);

	like($error, qr/pg_rewind: Done!/, "pg_rewind $how");
	open(my $mended, '>', $conf) or die "$conf: $!";
	print $mended $kept;
	close $mended;
	return;
}

$second->promote;
$first->safe_psql('postgres', 'INSERT INTO kept VALUES (2)');
my $left = $first->data_dir . '/pg_stat_tmp/ssdpard.sock';
kill('KILL', $first->safe_psql('postgres',
		'SELECT pid FROM ssdpar.daemon_status()'));
ok(-S $left, 'a daemon that was killed leaves its socket');
$first->stop('immediate');
$second->safe_psql('postgres', 'INSERT INTO kept VALUES (3)');
$second->safe_psql('postgres', 'CHECKPOINT');
rewind($first, 'from a server that runs, its target has crashed',
	'--source-server' => $second->connstr('postgres'));

$first->enable_streaming($second);
$first->set_standby_mode;
$first->start;
$second->wait_for_catchup($first);
is($first->safe_psql('postgres', 'SELECT array_agg(n ORDER BY n) FROM kept'),
	'{1,3}', 'and its target is a standby now');
wait_for_daemon($first);

# The other direction, without a running server.
$first->promote;
$first->safe_psql('postgres', 'INSERT INTO kept VALUES (4)');
$first->safe_psql('postgres', 'CHECKPOINT');
$second->safe_psql('postgres', 'INSERT INTO kept VALUES (5)');
$first->stop;
$second->stop;
rewind($second, 'from one that was stopped',
	'--source-pgdata' => $first->data_dir);

done_testing();
