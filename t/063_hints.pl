# 063_hints.pl
#	If another extension determines a table's scan or joins, as
#	pg_hint_plan does before PostgreSQL 19, ssdpar leaves them to core.
#
# t/046_beside_others.pl tests pg_hint_plan itself, if it is installed.

use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $module = abs_path(PostgreSQL::Test::Utils::tempdir()) . '/hints.so';
my $pg_config = $ENV{PG_CONFIG} || 'pg_config';
my $headers = qx{$pg_config --includedir-server};
plan skip_all => 'advice is masks, told by pg_plan_advice: t/046_beside_others.pl'
  if qx{$pg_config --version} =~ /PostgreSQL (\d+)/ && $1 >= 19;

chomp $headers;
system('cc', '-shared', '-fPIC', '-O2', "-I$headers", '-o', $module,
	'test/hints/hints.c') == 0
  or die "could not compile test/hints/hints.c\n";

my $node = PostgreSQL::Test::Cluster->new('hinted');
$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = '$module,ssdpar'
ssdpar.daemon_autostart = off
ssdpar.star_access = bitmap
END
$node->start;
$node->safe_psql('postgres', <<'END');
CREATE TABLE shop (s_key int PRIMARY KEY, s_region int);
INSERT INTO shop SELECT i, i % 50 FROM generate_series(1, 1000) i;
CREATE TABLE sale (f_shop int, f_amount int, f_pad text);
INSERT INTO sale SELECT i % 1000 + 1, i, repeat('x', 50)
  FROM generate_series(1, 50000) i;
CREATE INDEX ON sale (f_shop);
VACUUM ANALYZE shop, sale;
END

my $query = 'SELECT s_region, sum(f_amount) FROM sale JOIN shop ON f_shop = s_key'
  . ' WHERE s_region = 7 GROUP BY 1';

sub explained
{
	my ($set) = @_;
	return $node->safe_psql('postgres', "$set EXPLAIN (COSTS off) $query");
}

sub rows
{
	my ($set) = @_;
	return $node->safe_psql('postgres', "$set $query");
}

my $right = rows('SET ssdpar.enabled = off;');

like(explained(''), qr/SsdparStarScan.*Reducer: shop on f_shop using \w+, joined/s,
	'without a hint a star scan joins');

my $scan = "SET hints.scanned = 'sale';";
my $plan = explained($scan);
like($plan, qr/Seq Scan on sale/, 'a table with a hint has the scan of the hint');
unlike($plan, qr/Ssdpar/, 'and nothing of ours');
is(rows($scan), $right, 'the same rows');

my $other = "SET hints.scanned = 'shop';";
like(explained($other), qr/SsdparStarScan.*joined.*Seq Scan on shop/s,
	"a dimension's hint is for its own scan");
is(rows($other), $right, 'the same rows');

my $join = 'SET hints.no_hash_joins = on;';
$plan = explained($join);
like($plan, qr/(Nested Loop|Merge Join)/, 'joins are made as is laid down');
like($plan, qr/SsdparStarScan/, 'above a star scan, whose keys are no join');
unlike($plan, qr/joined/, 'which joins nothing');
is(rows($join), $right, 'the same rows');

# with ssdpar off, no state is kept, because nothing would end it
is( $node->safe_psql('postgres', <<"END"),
SET ssdpar.enabled = off;
$scan
SELECT count(*) FROM generate_series(1, 20) i,
  LATERAL (SELECT count(*) FROM sale WHERE f_shop = i) s;
PREPARE p AS $query;
SET ssdpar.enabled = on;
EXECUTE p;
SET ssdpar.enabled = off;
$query;
$query;
$query;
SET ssdpar.enabled = on;
$query;
END
	"20\n" . join("\n", ($right) x 5), 'switched off and on');

# no state of the previous statement remains
like(explained(''), qr/SsdparStarScan.*joined/s, 'the next statement is as ever');
like(explained('SET enable_hashjoin = off;'), qr/SsdparStarScan.*joined/s,
	'a setting for all joins is no hint');

$node->stop;
done_testing();
