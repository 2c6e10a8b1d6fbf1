# 053_standby.pl
#	Star scans and prefetching on two standbys while they replay their
#	primary's changes: the rows of a snapshot are the same with ssdpar as
#	without, each standby has its own daemon, and a promotion during a
#	query changes none of its rows.
#
# t/037_cluster_profile.pl tests the device profiles of standbys.

use strict;
use warnings;

use IPC::Run ();
use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

use DaemonStatus;

# Sockets: a data directory's path may be too long for one.
my $sockets = PostgreSQL::Test::Utils::tempdir_short();
my $rounds = $ENV{SSDPAR_LONG} ? 200 : 12;

my $node = PostgreSQL::Test::Cluster->new('primary');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<"CONF");
shared_preload_libraries = 'ssdpar'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.daemon_socket = '$sockets/primary'
shared_buffers = 1MB
autovacuum = off
CONF
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE fact (d int, s int, n int, pad text) WITH (fillfactor = 50);
INSERT INTO fact SELECT i % 500, i * 7 % 300, i, repeat('x', 300)
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (d);
CREATE INDEX ON fact (s);
CREATE TABLE day (k int PRIMARY KEY, m int);
INSERT INTO day SELECT i, i / 20 FROM generate_series(0, 499) i;
CREATE TABLE shop (k int PRIMARY KEY, t int);
INSERT INTO shop SELECT i, i % 20 FROM generate_series(0, 299) i;
CREATE TABLE passing AS SELECT i AS n FROM generate_series(1, 1000) i;
VACUUM ANALYZE fact, day, shop;
SQL
$node->safe_psql('postgres', slurp_file("$FindBin::Bin/../test/invent_device.sql"));
$node->safe_psql('postgres', "SELECT invent_device('depth * 10000', 128, 4e-6)");
$node->backup('copy');

sub make_standby
{
	my ($name) = @_;
	my $made = PostgreSQL::Test::Cluster->new($name);

	$made->init_from_backup($node, 'copy', has_streaming => 1);
	$made->append_conf('postgresql.conf', <<"CONF");
ssdpar.daemon_socket = '$sockets/$name'
hot_standby_feedback = on
max_standby_streaming_delay = -1
CONF
	$made->start;
	return $made;
}

sub daemon_pid
{
	my ($server) = @_;

	return daemon_says(sub { $server->safe_psql('postgres', $_[0]) }, 'pid');
}

my ($standby, $second) = map { make_standby($_) } ('standby', 'second');
my %daemon;
foreach my $one ($node, $standby, $second)
{
	$one->poll_query_until('postgres',
		'SELECT problem IS NULL FROM ssdpar.daemon_status()')
	  or die 'no daemon';
	$daemon{ daemon_pid($one) } = 1;
}
is(scalar keys %daemon, 3, 'each standby has a daemon of its own');
is($standby->safe_psql('postgres', "SELECT ssdpar.profile_problem('pg_default')"),
	'', 'and a profile, of any device');

# Concurrent changes: rows are moved and deleted, pages are emptied and
# truncated, a table is recreated and another one truncated.
my $write = <<'SQL';
UPDATE fact SET n = n + 1, d = (d + 1) % 500 WHERE n % 10 = :round % 10;
DELETE FROM fact WHERE n % 97 = :round % 97;
INSERT INTO fact SELECT i % 500, i * 3 % 300, i, repeat('y', 300)
  FROM generate_series(1, 300) i;
VACUUM fact;
TRUNCATE passing;
INSERT INTO passing SELECT i + :round FROM generate_series(1, 1000) i;
DROP TABLE IF EXISTS brief;
CREATE TABLE brief AS SELECT * FROM fact WHERE d < 100;
SQL
my $star = <<'SQL';
SELECT m, t, count(*), sum(n) FROM fact JOIN day ON d = day.k
  JOIN shop ON s = shop.k WHERE m < 4 AND t = 3 GROUP BY m, t
SQL
$star =~ s/\s+/ /g;
my $all = 'SELECT count(*), sum(n), max(pad) FROM fact';
my $passing = 'SELECT count(*), sum(n) - min(n) * 1000 FROM passing';

# A query's rows on one line, without ssdpar and with all of its features.
sub each_way
{
	my ($query) = @_;
	my $digest = "SELECT concat('=', md5(string_agg(r::text, '|' ORDER BY "
	  . "r::text)), ' ', count(*)) FROM ($query) r;\n";

	return "SET ssdpar.enabled = off; $digest SET ssdpar.enabled = on;\n"
	  . join '', map { "SET ssdpar.star_access = $_; $digest" }
	  ('auto', 'bitmap', 'sequential');
}

my $reads = "BEGIN ISOLATION LEVEL REPEATABLE READ;\n"
  . join("\\echo next\n", map { each_way($_) } ($star, $all, $passing))
  . "COMMIT;\n";
my (%seen, @writer);
my ($different, $count) = (0, 0);
foreach my $round (1 .. $rounds)
{
	my $writer = IPC::Run::start(
		[
			'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-v',
			"round=$round", '-d', $node->connstr('postgres')
		],
		'<', \$write);
	my $reader = $round % 2 ? $standby : $second;
	my ($rc, $out, $err) = $reader->psql('postgres', $reads);

	$writer->finish;
	push @writer, $writer->result;
	# so that the next round sees other rows
	$node->wait_for_catchup($_) foreach $standby, $second;
	is($err, '', "round $round: no error") if $err ne '';
	foreach my $part (split /^next\n/m, $out)
	{
		my @digest = $part =~ /^(=.*)$/mg;

		$count += @digest;
		$different += grep { $_ ne $digest[0] } @digest;
		$seen{ $digest[0] } = 1;
	}
}
is($count, 12 * $rounds, 'every query ran');
is($different, 0, 'the rows of each snapshot are the same');
is(scalar(grep { $_ } @writer), 0, 'the primary wrote');
$node->wait_for_catchup($standby);
my $last = join '', map { "$_;\n" } ($star, $all, $passing);
is($_->safe_psql('postgres', $last), $node->safe_psql('postgres', $last),
	'and those of the primary in the end')
  foreach $standby, $second;
# at least, no other round had the last one's snapshot
cmp_ok(scalar keys %seen, '>', 3, 'they changed meanwhile');

like(
	$standby->safe_psql('postgres',
		"SET ssdpar.star_access = bitmap; EXPLAIN $star"),
	qr/SsdparStarScan/, 'by star scans');
is( $standby->safe_psql('postgres',
		'SELECT requests > 0 FROM ssdpar.pg_stat_ssdpar WHERE datid IS NULL'),
	't', 'and what they read was announced to the daemon');

# A killed daemon, and a promotion.
kill 'KILL', daemon_pid($standby);
is($standby->safe_psql('postgres', $last), $node->safe_psql('postgres', $last),
	'the same without a daemon');

# Running queries see their snapshot, no matter what is written later.
my $under = 'FROM fact JOIN day ON d = day.k JOIN shop ON s = shop.k '
  . 'WHERE m < 20 AND t < 10';
my %session;
foreach my $access ('bitmap', 'sequential')
{
	my $session = $session{$access} =
	  $standby->background_psql('postgres', on_error_stop => 0);

	$session->query("SET ssdpar.star_access = $access");
	$session->query('BEGIN ISOLATION LEVEL REPEATABLE READ');
	$session->query("DECLARE c CURSOR FOR SELECT n $under");
	$session->query('FETCH 10 FROM c');
}
my $expected = $standby->safe_psql('postgres',
	"SET ssdpar.enabled = off; SELECT count(*) $under");
$standby->promote;
$standby->safe_psql('postgres',
	'DELETE FROM fact WHERE n % 3 = 0; VACUUM fact; '
	  . "INSERT INTO fact SELECT i % 500, i % 300, i, '' "
	  . 'FROM generate_series(1, 3000) i');
foreach my $access (sort keys %session)
{
	my $rows = () = $session{$access}->query('FETCH ALL FROM c') =~ /\d+/g;

	is($rows + 10, $expected, "a promotion beneath a query, $access");
	is($session{$access}->query("SELECT count(*) $under"), $expected,
		'and the next one of its snapshot');
	$session{$access}->query('COMMIT');
	$session{$access}->quit;
}
cmp_ok($expected, '>', 1000, 'which has rows');
my ($rc, $out, $err) = $standby->psql('postgres', $reads);
my @digest = $out =~ /^(=.*)$/mg;
is(scalar(@digest), 12, 'after a promotion');
is(scalar(grep { $digest[$_] ne $digest[ $_ - $_ % 4 ] } 0 .. 11),
	0, 'the rows are the same as well');
$standby->stop;
$second->stop;
$node->stop;
unlike(slurp_file($_->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed')
  foreach $standby, $second;
done_testing();
