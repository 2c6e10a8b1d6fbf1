# 036_index_join_memory.pl
#	An index join that runs out of memory ends with core's error, and the
#	session survives; if there is enough memory, the rows are right.
#
# One session executes the same joins repeatedly, each time with its address
# space limited (prlimit) to more than it uses, from little to plenty.

use strict;
use warnings;

use IndexJoins;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

plan skip_all => 'no prlimit' if system('prlimit --version > /dev/null 2>&1');
# An address sanitizer reserves address space itself.
plan skip_all => 'built with a sanitizer'
  if `$ENV{PG_CONFIG} --cflags 2>/dev/null` =~ /fsanitize/;

my $steps = $ENV{SSDPAR_LONG} ? 200 : 30;

my $node = PostgreSQL::Test::Cluster->new('index_join_memory');
$node->init;
$node->append_conf('postgresql.conf',
	index_join_settings() . "work_mem = '64MB'\n");
$node->start;
$node->safe_psql('postgres', <<'END' . index_join_device());
CREATE EXTENSION ssdpar;
CREATE TABLE one AS SELECT i AS id, i * 7 % 30000 AS a, i % 3 AS b,
  repeat('o', 100) AS word FROM generate_series(1, 30000) i;
CREATE TABLE many AS SELECT i % 30000 AS a, i % 3 AS b, i AS c,
  repeat('m', 200) AS word FROM generate_series(1, 60000) i;
CREATE INDEX ON many (a, b) INCLUDE (c);
CREATE INDEX ON many ((word || a));
VACUUM ANALYZE one, many;
END

my @queries = map { "SELECT count(*), sum(length(r::text)) FROM ($_ OFFSET 0) r" } (
	'SELECT o.word, i.word AS i FROM one o JOIN many i ON o.a = i.a',
	'SELECT o.word, i.c FROM one o LEFT JOIN many i ON o.a = i.a AND o.b = i.b',
	'SELECT o.word FROM one o WHERE EXISTS (SELECT FROM many i WHERE o.a = i.a AND o.b = i.b)');
my @right = map {
	$node->safe_psql('postgres', "SET ssdpar.enabled = off; SET enable_hashjoin = on; $_")
} @queries;
my $plans = $node->safe_psql('postgres', join ';', map { "EXPLAIN $_" } @queries);
is(scalar(() = $plans =~ /SsdparIndexJoin/g), 3, 'all are index joins');

my $session = $node->background_psql('postgres', on_error_stop => 0);
my $pid = $session->query_safe("SELECT pg_backend_pid();");

sub size { return (slurp_file("/proc/$pid/status") =~ /VmSize:\s+(\d+)/)[0] * 1024; }

my ($errors, $results, @wrong) = (0, 0);
foreach my $step (0 .. $steps)
{
	foreach my $i (0 .. $#queries)
	{
		# From 64 kB to 128 MB more than its current size, in geometric steps.
		my $most = size() + int(65536 * 2048**($step / $steps));
		system('prlimit', "--pid=$pid", "--as=$most:");
		my $out = $session->query("$queries[$i];");
		system('prlimit', "--pid=$pid", '--as=unlimited:');
		if ($out eq $right[$i]) { $results++; }
		elsif ($out eq '') { $errors++; }
		else { push @wrong, "$i: $out"; }
	}
}
my $still = $session->query("SELECT pg_backend_pid();");
is($still, $pid, 'the session lives');
is_deeply(\@wrong, [], 'no wrong row');
cmp_ok($errors, '>', 0, "some ran out of memory ($errors)");
cmp_ok($results, '>', 0, "some did not ($results)");
$session->quit;

my $log = slurp_file($node->logfile);
unlike($log, qr/TRAP:|PANIC|terminated by signal/, 'no process died');
my @strange = grep { /ERROR:/ && !/out of memory/ } split /\n/, $log;
is_deeply(\@strange, [], 'every error was of memory');

$node->stop;
done_testing();
