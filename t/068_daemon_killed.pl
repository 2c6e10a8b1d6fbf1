# 068_daemon_killed.pl
#	The daemon is killed at random moments, as by the kernel when memory is
#	short, and has no descriptors left, while sessions read with all
#	methods and tables are created and dropped: no query fails, all rows
#	are right, and no resources or processes remain.
#
# Twenty kills, or two hundred with SSDPAR_LONG=1.  t/017_ssb_killed.pl tests
# the benchmark's queries with kills, t/007_daemon.pl few descriptors of the
# daemon alone.

use strict;
use warnings;

use DaemonStatus;
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $kills = $ENV{SSDPAR_LONG} ? 200 : 20;

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';
my $node = PostgreSQL::Test::Cluster->new('killed');

# Each session reads with one method.
my $join = 'SELECT sum(id) FROM fact f JOIN dim ON f.k = dim.k WHERE v = 3';
my %loads = (
	'star scans of all' => [ 'ssdpar.star_access = sequential', $join ],
	'star scans' => [ 'ssdpar.star_access = bitmap', $join ],
	'index joins' => [ 'ssdpar.star_scan = off', $join ],
	'a table that comes and goes' =>
	  [ 'ssdpar.star_access = sequential', $join =~ s/fact f/victim f/r ]);

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

# The daemons of this socket, except for zombies.
sub daemons
{
	my @pids;

	foreach my $path (glob('/proc/[0-9]*/cmdline'))
	{
		my ($pid) = $path =~ m{/(\d+)/};
		my $line = eval { slurp_file($path) } // '';

		push @pids, $pid if index($line, "--socket=$socket\0") >= 0;
	}
	return @pids;
}

# Deleted files still held by a daemon or a server process.
sub deleted_files
{
	my $data = $node->data_dir;

	return grep { defined && m{^\Q$data\E/base/.*\(deleted\)$} }
	  map { readlink } map { glob("/proc/$_/fd/*") } @_;
}

# True once the condition holds; waits up to a minute on a busy machine.
sub eventually
{
	my ($so) = @_;

	foreach (1 .. 600)
	{
		return 1 if $so->();
		usleep(100_000);
	}
	return 0;
}

sub make_tables
{
	sql('CREATE EXTENSION ssdpar');
	sql(slurp_file('test/invent_device.sql')
		  . q{SELECT invent_device('depth / (1e-4 + (size - 8192) / 1e9)', }
		  . '128, 5e-6)');
	sql(slurp_file('test/wide_star.sql'));
	sql('CREATE TABLE stop (); CREATE TABLE victim ()');
	return;
}

# A session that reads until the table "stop" has a column.
sub start_load
{
	my ($name) = @_;
	my ($set, $query) = @{ $loads{$name} };
	my %load = (name => $name, out => '', err => '');
	my $victim = '';
	my $expected;

	if ($query =~ /victim/)
	{
		$victim = 'EXECUTE $v$DROP TABLE victim$v$;'
		  . 'EXECUTE $v$CREATE TABLE victim AS SELECT * FROM fact'
		  . ' WHERE id <= 5000$v$; COMMIT;';
		$expected = sql('SET ssdpar.enabled = off;'
			  . $join =~ s/fact f/(SELECT * FROM fact WHERE id <= 5000) f/r);
	}
	else
	{
		$expected = sql("SET ssdpar.enabled = off; $query");
	}
	$load{run} = IPC::Run::start(
		[
			'psql', '-XqAt', '-d', $node->connstr('postgres'),
			'-v', 'ON_ERROR_STOP=1' ],
		'<', \<<"END", '>', \$load{out}, '2>', \$load{err});
SET $set;
DO \$\$
DECLARE
  answer numeric;
  rounds int := 0;
BEGIN
  LOOP
    $victim
    EXECUTE '$query' INTO answer;
    IF answer <> $expected THEN RAISE 'the sum is %', answer; END IF;
    rounds := rounds + 1;
    EXIT WHEN (SELECT count(*) > 0 FROM pg_class c, pg_attribute a
                WHERE c.relname = 'stop' AND a.attrelid = c.oid
                  AND a.attname = 'now');
    COMMIT;
  END LOOP;
  RAISE NOTICE 'good';
END \$\$
END
	return \%load;
}

# A daemon that has lived for a second may die again sooner and still be
# restarted immediately.
sub test_killed
{
	my @running = map { start_load($_) } sort keys %loads;
	my $killed = 0;

	while ($killed < $kills)
	{
		my ($pid) = daemons();

		usleep(rand(50_000));
		next unless defined $pid;
		usleep(1_100_000) if $killed % 2 == 0;
		usleep(rand(300_000));
		$killed += kill 'KILL', $pid;
		eventually(sub { !grep { $_ == $pid } daemons() });
	}
	ok(eventually(sub { daemons() == 1 }), "$kills kills: there is one daemon");
	sql('ALTER TABLE stop ADD now int');
	foreach my $load (@running)
	{
		ok($load->{run}->finish, "$kills kills: $load->{name}");
		like($load->{err}, qr/\ANOTICE:  good\s*\z/,
			"... and nothing else was said");
	}
	sql('DROP TABLE victim');
	ok( eventually(
			sub {
				sql('SELECT coalesce(files, 1) FROM ssdpar.daemon_status()')
				  eq '0';
			}),
		"$kills kills: the daemon holds no file");
	is( join(
			' ',
			deleted_files(
				daemons(),
				split /\n/,
				sql('SELECT pid FROM pg_stat_activity'))),
		'',
		'... and no process one that is deleted');
	ok( $node->poll_query_until(
			'postgres', 'SELECT requests = served + cached + stale + dropped'
			  . ' FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL'),
		'... served + cached + stale + dropped = sent');
	return;
}

# Allows only its current number of descriptors, plus this many.
sub leave_descriptors
{
	my ($pid, $more) = @_;
	my $limit = @{ [ glob("/proc/$pid/fd/*") ] } + $more;

	system_or_bail('prlimit', "--pid=$pid", "--nofile=$limit:");
	return;
}

sub test_no_descriptors
{
	my $pid = daemon_says(\&sql, 'pid');
	my ($most) = slurp_file("/proc/$pid/limits") =~
	  /^Max open files\s+\d+\s+(\d+)/m;

	foreach my $more (0 .. 3)
	{
		leave_descriptors($pid, $more);
		foreach my $name (sort grep { !/table/ } keys %loads)
		{
			my ($set, $query) = @{ $loads{$name} };
			my $expected = sql("SET ssdpar.enabled = off; $query");
			my ($code, $out, $err) =
			  $node->psql('postgres', "SET $set; $query; $query");

			is("$out$err", "$expected\n$expected",
				"$more descriptors left: $name");
		}
	}
	system_or_bail('prlimit', "--pid=$pid", "--nofile=$most:");
	is(daemon_says(\&sql, 'pid'), $pid, 'with descriptors again it answers');
	sql("SET ssdpar.star_access = sequential; $join");
	ok(eventually(
			sub { sql('SELECT files FROM ssdpar.daemon_status()') eq '0' }),
		'... and holds no file when none is used');
	return;
}

$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
ssdpar.daemon_socket = '$socket'
shared_buffers = 1MB
fsync = off
autovacuum = off
checkpoint_timeout = 1h
synchronize_seqscans = off
jit = off
END
$node->start;
make_tables();
test_killed();
test_no_descriptors();
$node->stop;
is(join(' ', daemons()), '', 'no daemon is left');
unlike(slurp_file($node->logfile),
	qr/PANIC|was terminated by signal|TRAP|ERROR/, 'nothing crashed or erred');
done_testing();
