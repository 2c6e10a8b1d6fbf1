# 015_company.pl
#	The cost model prices a plan with the share of the device that other
#	sessions leave, and forgets sessions that have ended, in whatever way.

use strict;
use warnings;

use IPC::Run qw(start timeout);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('company');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.residency = cold
ssdpar.prefetch = off
ssdpar.cost_model_min_size = '1MB'
max_parallel_workers_per_gather = 0
CONF
$node->start;

# Random reads take 100 us, and 16 of them run concurrently.
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE big AS SELECT i AS k, repeat('x', 200) AS pad
  FROM generate_series(1, 60000) i;
CREATE TABLE small AS SELECT i * 200 AS k FROM generate_series(1, 300) i;
CREATE INDEX ON big (k);
VACUUM ANALYZE big, small;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 4096);
SQL

sub cost
{
	my $plan = $node->safe_psql('postgres', 'EXPLAIN SELECT * FROM big');
	return $plan =~ /\.\.([0-9.]+) rows/ ? $1 : die "no cost in $plan";
}

# A session that stays in a transaction after these statements.
sub begin_session
{
	my ($sql) = @_;
	my %session = (in => "BEGIN; $sql\n\\echo ready\n", out => '', err => '');

	$session{run} = start(
		[ 'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1',
			'-d', $node->connstr('postgres') ],
		'<', \$session{in}, '>', \$session{out}, '2>', \$session{err},
		timeout($PostgreSQL::Test::Utils::timeout_default));
	$session{run}->pump until $session{out} =~ /ready/;
	return \%session;
}

sub end_session
{
	my ($session, $sql) = @_;

	$session->{in} .= "$sql\n\\q\n";
	eval { $session->{run}->finish };
	return;
}

my $alone = cost();
my $scan = 'DECLARE c CURSOR FOR SELECT * FROM big; FETCH 1 FROM c;';

my $one = begin_session($scan);
my $beside_one = cost();
cmp_ok($beside_one, '>', $alone * 1.2, 'a scan beside another is dearer');

my $two = begin_session($scan);
cmp_ok(cost(), '>', $beside_one, 'beside two it is dearer still');

end_session($two, 'ROLLBACK;');
is(cost(), $beside_one, 'one that has been rolled back does not count');

end_session($one, 'SELECT 1 / 0;');
is(cost(), $alone, 'nor does one that failed');

my $three = begin_session($scan);
isnt(cost(), $alone, 'a third counts');
$node->safe_psql('postgres', <<'SQL');
SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
 WHERE state = 'idle in transaction';
SQL
is(cost(), $alone, 'not after it has been terminated');
end_session($three, '');

# A star scan by bitmap keeps the configured number of requests outstanding.
my @stars;
foreach my $depth (1, 8)
{
	my $star = begin_session(<<"SQL");
SET LOCAL ssdpar.star_access = bitmap;
SET LOCAL ssdpar.prefetch = local;
SET LOCAL ssdpar.io_concurrency = $depth;
DECLARE c CURSOR FOR SELECT * FROM big JOIN small USING (k);
FETCH 1 FROM c;
SQL
	push @stars, cost();
	end_session($star, 'ROLLBACK;');
}
cmp_ok($stars[0], '>', $alone, 'a star scan counts');
cmp_ok($stars[1], '>', $stars[0], 'as deep as it reads');
is(cost(), $alone, 'and no more once it has ended');

my $idle = begin_session('DECLARE c CURSOR FOR SELECT * FROM small; FETCH 1 FROM c;');
is(cost(), $alone, 'a small table does not count');
end_session($idle, 'ROLLBACK;');

my $explained = begin_session('EXPLAIN SELECT * FROM big;');
is(cost(), $alone, 'nor a plan that is only explained');
end_session($explained, 'ROLLBACK;');

my $off = begin_session("SET ssdpar.enabled = off; $scan");
is(cost(), $alone, 'nor a session with ssdpar.enabled off');
end_session($off, 'ROLLBACK;');

$node->append_conf('postgresql.conf', 'ssdpar.residency = hot');
$node->reload;
my $hot = cost();
my $cached = begin_session($scan);
is(cost(), $hot, 'nor a scan of what is in memory');
end_session($cached, 'ROLLBACK;');

$node->stop;
done_testing();
