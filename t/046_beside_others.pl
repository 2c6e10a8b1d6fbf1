# 046_beside_others.pl
#	ssdpar together with other extensions, before and after them in
#	shared_preload_libraries: the Star Schema Benchmark returns the same
#	rows, hints and hypothetical indexes are respected, and pgBouncer may
#	share sessions.
#
# Extensions that are not installed are skipped, by name.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(usleep);

my $ssb = 'bench/ssb';
my $pkglibdir = `pg_config --pkglibdir`;
chomp $pkglibdir;

# Library, extension (if any), and whether to preload it.
my @others = (
	[ 'pg_stat_statements', 'pg_stat_statements', 1 ],
	[ 'auto_explain', undef, 1 ],
	[ 'pg_hint_plan', 'pg_hint_plan', 1 ],
	[ 'pg_plan_advice', undef, 1 ],
	[ 'pg_cron', 'pg_cron', 1 ],
	[ 'pgaudit', 'pgaudit', 1 ],
	[ 'timescaledb', 'timescaledb', 1 ],
	[ 'hypopg', 'hypopg', 0 ],
	[ 'postgis-3', 'postgis', 0 ],
	[ 'vector', 'vector', 0 ]);

sub is_there
{
	my ($library) = @_;
	return -e "$pkglibdir/$library.so";
}

# ssdpar must be forced, because the tables are small.
my $forced = <<'SQL';
SET ssdpar.cost_model_min_size = 0;
SET ssdpar.prefetch_min_size = 0;
SET ssdpar.residency = cold;
SQL
my @ways = (
	'',
	"SET ssdpar.star_access = bitmap;",
	"SET ssdpar.star_access = sequential; SET ssdpar.subqueries = 2;");

my %query = map {
	my ($name) = m{([^/]+)\.sql$};
	my $text = slurp_file($_);
	$text =~ s/;\s*\z//;
	($name => $text)
} glob "$ssb/queries/q*.sql";

# Results of all queries, in one session.
sub rows
{
	my ($node, $set) = @_;
	my $script = $set;

	$script .= "\\echo == $_\n$query{$_};\n" foreach sort keys %query;
	return $node->safe_psql('postgres', $script);
}

# ssdpar's nodes in the plans of all queries.
sub plans
{
	my ($node, $set) = @_;
	my $script = $set;

	$script .= "EXPLAIN (COSTS off) $query{$_};\n" foreach sort keys %query;
	return $node->safe_psql('postgres', $script);
}

$ENV{PGUSER} //= getpwuid($<);
my $node = PostgreSQL::Test::Cluster->new('beside');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
cron.database_name = 'postgres'
timescaledb.telemetry_level = off
auto_explain.log_min_duration = 0
auto_explain.log_analyze = on
auto_explain.log_format = json
pgaudit.log = 'all'
pgaudit.log_relation = on
pg_stat_statements.track_planning = on
CONF
$node->start;
$node->safe_psql('postgres', slurp_file("$ssb/schema.sql"));
system_or_bail("$ssb/ssbload", '--scale', '0.01', '--seed', '1',
	$node->connstr('postgres') . " user=$ENV{PGUSER}");
system_or_bail('psql', '-X', '-q', '-f', "$ssb/indexes.sql", '-d',
	$node->connstr('postgres'));
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('depth * 81920000.0 / size', 128, 1e-8);
SQL

my $expected = rows($node, "SET ssdpar.enabled = off;\n");

my @there = grep { is_there($_->[0]) } @others;
my @preloaded = map { $_->[0] } grep { $_->[2] } @there;

# Advice that core follows, together with a forced star scan.
my $advised = 'SELECT count(*), max(p_name) FROM lineorder, part'
  . " WHERE lo_partkey = p_partkey AND p_brand1 = 'MFGR#2221'";
my @advice = (
	[ 'SEQ_SCAN(lineorder)', qr/Seq Scan on lineorder/ ],
	[ 'HASH_JOIN(part)', qr/Hash Join/ ],
	[ 'MERGE_JOIN_PLAIN(part)', qr/Merge Join/ ],
	[ 'JOIN_ORDER(part lineorder)', qr/lineorder/ ]);

sub check_advice
{
	my ($order) = @_;
	my $set = "$forced SET ssdpar.star_access = bitmap;\n";
	my $rows = $node->safe_psql('postgres',
		"SET ssdpar.enabled = off; $advised");

	foreach my $case (@advice)
	{
		my ($advice, $shows) = @$case;
		my $take = "$set SET pg_plan_advice.advice = '$advice';\n";
		my $plan =
		  $node->safe_psql('postgres', "$take EXPLAIN (COSTS off) $advised;");

		like($plan, $shows, "ssdpar $order pg_plan_advice: $advice");
		like($plan, qr/\Q$advice\E[^\n]* matched/, '... is matched');
		unlike($plan, qr/failed|inapplicable|conflicting/, '... and followed');
		is($node->safe_psql('postgres', "$take $advised;"),
			$rows, '... with the same rows');
	}
}
foreach my $other (@others)
{
  SKIP:
	{
		skip "$other->[0] is not installed", 1 if !is_there($other->[0]);
		pass("$other->[0] is tried");
	}
}

# ----- the benchmark's rows, in both orders

foreach my $order ('before', 'after')
{
	# some must be the first library
	my @first = grep { $_ eq 'timescaledb' } @preloaded;
	my @rest = grep { $_ ne 'timescaledb' } @preloaded;
	my @list =
		$order eq 'before'
	  ? (@first, 'ssdpar', @rest)
	  : (@first, @rest, 'ssdpar');

	$node->append_conf('postgresql.conf',
		"shared_preload_libraries = '" . join(',', @list) . "'\n");
	$node->restart;
	foreach my $extension (grep { defined } map { $_->[1] } @there)
	{
		# PostGIS cannot be installed while everything is audited
		$node->safe_psql('postgres',
			"SET client_min_messages = error; SET pgaudit.log = 'none';"
			  . "CREATE EXTENSION IF NOT EXISTS $extension CASCADE");
	}
	foreach my $way (@ways)
	{
		my $set = "$forced$way\n";

		is(rows($node, $set), $expected,
			"ssdpar $order the others: rows as alone; $way");
		like(plans($node, $set), qr/Ssdpar/, '... with nodes of ssdpar')
		  if $way ne '';
	}
	unlike(plans($node, "SET ssdpar.enabled = off;\n"),
		qr/Ssdpar/, "ssdpar $order the others: off is off");
	check_advice($order) if is_there('pg_plan_advice');
}

like(slurp_file($node->logfile),
	qr/"Custom Plan Provider": "SsdparStarScan"/,
	'auto_explain logs its nodes')
  if is_there('auto_explain');

# ----- hypothetical indexes

SKIP:
{
	skip 'hypopg is not installed', 3 if !is_there('hypopg');
	my $star = <<'SQL';
SELECT count(*) FROM lineorder, part, supplier
 WHERE lo_partkey = p_partkey AND lo_suppkey = s_suppkey AND
       p_brand1 = 'MFGR#2221' AND s_region = 'ASIA'
SQL
	my $hypothetical = <<'SQL';
SET client_min_messages = error;
DO $$
DECLARE i regclass;
BEGIN
  FOR i IN SELECT indexrelid::regclass FROM pg_index
            WHERE indrelid = 'lineorder'::regclass AND NOT indisprimary LOOP
    EXECUTE 'DROP INDEX ' || i;
  END LOOP;
END $$;
SELECT hypopg_create_index(format('CREATE INDEX ON lineorder (%s)', c))
  FROM unnest('{lo_partkey,lo_suppkey,lo_orderkey}'::text[]) c;
SQL
	foreach my $way ('', 'SET ssdpar.star_access = bitmap;',
		'SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_seqscan = off;')
	{
		my ($code, $out, $err) = $node->psql('postgres',
				# auto_explain would not find their names
				"SET auto_explain.log_min_duration = -1;"
			  . "BEGIN; $forced$way $hypothetical\n"
			  . "EXPLAIN $star; EXPLAIN SELECT * FROM lineorder WHERE lo_partkey = 1;"
			  . "$star; EXPLAIN ANALYZE $star; ROLLBACK;");
		is($err, '', "hypothetical indexes are planned with, not read; $way");
	}
}

# ----- hints

SKIP:
{
	skip 'pg_hint_plan is not installed', 4 if !is_there('pg_hint_plan');
	my $star = 'SELECT count(*) FROM lineorder, part'
	  . " WHERE lo_partkey = p_partkey AND p_brand1 = 'MFGR#2221'";
	my $bitmap = "$forced SET ssdpar.star_access = bitmap;\n";
	my $explain = 'EXPLAIN (COSTS off)';

	foreach my $hint (
		[ 'SeqScan(lineorder)', qr/Seq Scan on lineorder/ ],
		[ 'IndexScan(lineorder)', qr/Index Scan using \w+ on lineorder/ ],
		[ 'MergeJoin(lineorder part)', qr/Merge Join/ ],
		[ 'NestLoop(part lineorder)', qr/Nested Loop|SsdparIndexJoin/ ])
	{
		my ($text, $shows) = @$hint;
		my $plan = $node->safe_psql('postgres',
			"$bitmap/*+ $text */ $explain $star;");

		like($plan, $shows, "a hint counts: $text");
	}
}

# ----- pgBouncer, which shares the server's sessions

SKIP:
{
	my ($pgbouncer) =
	  grep { -x $_ } map { "$_/pgbouncer" } split(/:/, $ENV{PATH}),
	  '/usr/sbin';

	skip 'pgbouncer is not installed', 2 if !defined $pgbouncer;
	my $dir = PostgreSQL::Test::Utils::tempdir_short();
	my $host = $node->host;
	my $port = $node->port;
	append_to_file("$dir/ini", <<"INI");
[databases]
postgres = host=$host port=$port dbname=postgres
[pgbouncer]
listen_addr =
unix_socket_dir = $dir
listen_port = 6543
auth_type = any
user = 
pool_mode = transaction
default_pool_size = 2
logfile = $dir/log
pidfile = $dir/pid
INI
	append_to_file("$dir/ini", '');
	my $text = slurp_file("$dir/ini");
	$text =~ s/^user = \n//m;
	$text =~ s/dbname=postgres$/dbname=postgres user=$ENV{PGUSER}/m;
	unlink "$dir/ini";
	append_to_file("$dir/ini", $text);
	system_or_bail($pgbouncer, '-q', '-d', "$dir/ini");
	# it listens a moment later
	foreach (1 .. 1800)
	{
		last if -s "$dir/pid"
		  && system("psql -X -q -h $dir -p 6543 -c 'SELECT 1' postgres"
			  . ' > /dev/null 2>&1') == 0;
		usleep(100_000);
	}

	my @clients;
	foreach my $client (1 .. 6)
	{
		my ($in, $out) = ('', '');
		$in = "BEGIN; SET LOCAL ssdpar.star_access = bitmap;\n"
		  if $client % 2 == 0;
		$in .= "\\echo == $_\n$query{$_};\n" foreach sort keys %query;
		$in .= "COMMIT;\n" if $client % 2 == 0;
		my %run = (in => $in, out => '', err => '');
		$run{run} = IPC::Run::start(
			[
				'psql', '-XAtq', '-v', 'ON_ERROR_STOP=1',
				'-h', $dir, '-p', 6543, 'postgres'
			],
			'<', \$run{in}, '>', \$run{out}, '2>', \$run{err});
		push @clients, \%run;
	}
	my @wrong = grep {
		$_->{run}->finish;
		chomp $_->{out};
		$_->{out} ne $expected || $_->{err} ne ''
	} @clients;
	is(scalar(@wrong), 0, 'through pgbouncer: rows as ever')
	  or diag($wrong[0]{err});
	my $pid = slurp_file("$dir/pid");
	kill 'TERM', $pid;
	is($node->safe_psql('postgres', 'SHOW ssdpar.star_access'),
		'auto', '... and no setting is left behind');
}

unlike(slurp_file($node->logfile), qr/PANIC|TRAP|was terminated by signal/,
	'no crash');
$node->stop;
done_testing();
