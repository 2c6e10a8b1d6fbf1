# 035_index_join_rows.pl
#	Index joins return the rows that their snapshot sees, while other
#	sessions insert, split, delete and vacuum: by several columns of an
#	index, from the index alone, and from the table.
#
# In one snapshot, each query runs with ssdpar and without.

use strict;
use warnings;

use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rounds = $ENV{SSDPAR_LONG} ? 1000 : 60;

my $node = PostgreSQL::Test::Cluster->new('index_join_rows');
$node->init;
$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
autovacuum = off
fsync = off
END
$node->start;
$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar;
CREATE TABLE one (id int, a int, b int);
INSERT INTO one SELECT i, i * 7 % 2000, i % 3 FROM generate_series(1, 1500) i;
CREATE TABLE many (a int, b int, c int) WITH (fillfactor = 70);
CREATE FUNCTION add(low int, high int, n int) RETURNS void LANGUAGE SQL AS $$
INSERT INTO many SELECT low + floor(random() * (high - low))::int,
                        floor(random() * 3)::int, floor(random() * 1000)::int
                   FROM generate_series(1, n) $$;
SELECT add(0, 2000, 30000);
CREATE INDEX ON many (a, b DESC) WITH (fillfactor = 50);
VACUUM ANALYZE one, many;
\i test/invent_device.sql
SELECT invent_device('CASE depth WHEN 1 THEN 100 ELSE depth * 1e4 END', 128, 5e-6);
CREATE FUNCTION result(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE result text;
BEGIN
  EXECUTE format('SELECT concat(count(*), md5(string_agg(r::text, '' '' ORDER BY r::text))) FROM (%s OFFSET 0) r', query) INTO result;
  RETURN result;
END $$;
CREATE FUNCTION compare(query text) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  "on" text;
  plan text;
BEGIN
  SET LOCAL ssdpar.enabled = on;
  SET LOCAL enable_hashjoin = off;
  SET LOCAL enable_mergejoin = off;
  EXECUTE 'EXPLAIN (FORMAT json) ' || query INTO plan;
  "on" := result(query);
  SET LOCAL ssdpar.enabled = off;
  SET LOCAL enable_hashjoin = on;
  SET LOCAL enable_indexonlyscan = off;
  IF "on" <> result(query) THEN RETURN 'DIFFERENT ' || query; END IF;
  RETURN concat_ws(' ', 'same', substring(plan, 'SsdparIndexJoin'),
                   substring(plan, 'Index Only'));
END $$;
END

my $write = $node->basedir . '/write.sql';
append_to_file($write, <<'END');
\set low random(0, 1900)
\set n random(1, 400)
SELECT add(:low, :low + 100, :n);
SELECT add(:low, :low + 1, 50);
DELETE FROM many WHERE a BETWEEN :low + 30 AND :low + 60;
UPDATE many SET b = (b + 1) % 3 WHERE a BETWEEN :low AND :low + 5;
UPDATE many SET c = c + 1 WHERE a BETWEEN :low AND :low + 5;
END
my $vacuum = $node->basedir . '/vacuum.sql';
append_to_file($vacuum, "VACUUM many;\n");

sub start_pgbench
{
	my ($script, $clients) = @_;
	my $log = '';
	return IPC::Run::start(
		[
			'pgbench', '-n', '-c', $clients, '-T', 3600, '-f', $script,
			'-h', $node->host, '-p', $node->port, 'postgres'
		],
		'>', \$log, '2>', \$log);
}

my @writers = (start_pgbench($write, 2), start_pgbench($vacuum, 1));
my @queries = (
	'SELECT o.id, i.a, i.b FROM one o JOIN many i ON o.a = i.a AND o.b = i.b',
	'SELECT o.id, i.b FROM one o LEFT JOIN many i ON o.a = i.a',
	'SELECT o.id, i.c FROM one o JOIN many i ON o.a = i.a AND o.b = i.b',
	'SELECT o.id FROM one o WHERE EXISTS (SELECT FROM many i WHERE o.a = i.a AND i.b = o.b)',
	'SELECT o.id FROM one o WHERE NOT EXISTS (SELECT FROM many i WHERE o.a = i.a AND i.b = 1)'
);
my $settings = 'SET ssdpar.residency = cold; SET ssdpar.cost_model_min_size = 0; '
  . 'SET ssdpar.star_scan = off; '
  . 'SET max_parallel_workers_per_gather = 0; SET enable_bitmapscan = off; '
  . 'SET enable_memoize = off; SET enable_material = off;';
my $script = "$settings\n";
foreach my $round (1 .. $rounds)
{
	$script .= "BEGIN ISOLATION LEVEL REPEATABLE READ;\n";
	$script .= "SELECT compare(\$\$$_\$\$);\nSET LOCAL enable_indexonlyscan = on;\n"
	  foreach @queries;
	$script .= "COMMIT;\n";
}
my $out = $node->safe_psql('postgres', $script);
foreach my $writer (@writers)
{
	$writer->signal('TERM');
	$writer->finish;
}

my @lines = grep { /\S/ } split /\n/, $out;
is(scalar @lines, $rounds * @queries, 'all queries were executed');
is_deeply([ grep { /DIFFERENT/ } @lines ], [], 'the rows are the same');
my $joins = grep { /SsdparIndexJoin/ } @lines;
my $alone = grep { /Index Only/ } @lines;
cmp_ok($joins, '>', @lines / 2, "index joins were made ($joins)");
cmp_ok($alone, '>', @lines / 4, "some in the index alone ($alone)");

# With empty shared buffers, pages are requested ahead, and EXPLAIN shows it.
$node->restart;
my $plan = $node->safe_psql('postgres',
	"$settings SET enable_hashjoin = off; SET enable_mergejoin = off; "
	  . "EXPLAIN (ANALYZE, FORMAT json) $queries[2]");
like($plan, qr/"Depth Max": ([2-9]|\d\d)/, 'several requests at a time');
like($plan, qr/"Reads Waited For": \d+,\s+"Wait Time": [\d.]+/,
	'waits are counted');

$node->stop;
done_testing();
