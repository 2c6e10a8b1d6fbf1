# 076_residency_looks.pl
#	A session's first query samples little of the page cache for each
#	partition and index, because there may be thousands.  The requests are
#	logged on their way to the kernel (test/log_cachestat.c).

use strict;
use warnings;

use FindBin;
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $place = PostgreSQL::Test::Utils::tempdir;
my $log = "$place/looks";
my $node = PostgreSQL::Test::Cluster->new('residency_looks');

system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/log_cachestat.so",
	"$FindBin::Bin/../test/log_cachestat.c", '-ldl');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.cost_model_min_size = 0
autovacuum = off
CONF

sub restart_logged
{
	local $ENV{LD_PRELOAD} = "$place/log_cachestat.so";
	local $ENV{CACHESTAT_LOG} = $log;
	$node->restart;
	return;
}

$node->start;
restart_logged();
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('1000 * depth', 128, 1e-6);
\i test/wide_fact.sql
\i test/wide_parts.sql
CREATE TABLE plain AS SELECT * FROM dimension WHERE false;
INSERT INTO plain SELECT k % 1000, k FROM generate_series(1, 20000) k;
ANALYZE plain;
CHECKPOINT;
SQL

my $of_parts = 'SELECT count(f.id) FROM parts f, dimension d '
  . 'WHERE f.k = d.k AND d.v < 5';
my $of_plain = 'SELECT count(*) FROM plain';

# Number of requests and bytes when a new session plans a query.
sub looked
{
	my ($settings, $query) = @_;
	my ($looks, $bytes) = (0, 0);

	unlink $log;
	$node->safe_psql('postgres', <<SQL);
$settings;
EXPLAIN $query;
SQL
	return (0, 0) unless -e $log;
	for my $line (split /\n/, slurp_file($log))
	{
		$looks++;
		$bytes += (split ' ', $line)[1];
	}
	return ($looks, $bytes);
}

my $auto = 'SET ssdpar.residency = auto';
my $in_buffers = (looked($auto, $of_plain))[0];

restart_logged();

my ($looks, $bytes) = looked($auto, $of_parts);
my $size = $node->safe_psql('postgres',
	"SELECT sum(pg_relation_size(relid)) FROM pg_partition_tree('parts')");

plan skip_all => 'cachestat() is not there before Linux 6.5'
  if $looks == 0;
cmp_ok($looks, '>', 10, 'partitions are looked at in the page cache');
cmp_ok($bytes, '<', $size / 4, 'and little of each');
is((looked('SET ssdpar.residency = cold', $of_parts))[0],
	0, 'none where it is said');
is($in_buffers, 0, 'nor where all is in shared buffers');
cmp_ok((looked($auto, $of_plain))[0], '>', 0, 'and one where nothing is');

# The cost of a scan in a freshly started server, which has no pages of the
# table in shared buffers; planning reads some of an index.
sub cost_by
{
	my ($residency) = @_;

	$node->restart;
	return $node->safe_psql('postgres', <<SQL);
SET ssdpar.residency = $residency;
EXPLAIN SELECT count(pad) FROM fact;
SQL
}

# Before Linux 6.5, mincore() is used instead, with the same result.
$node->safe_psql('postgres', 'SELECT count(pad) FROM fact');
{
	local $ENV{LD_PRELOAD} = "$place/log_cachestat.so";
	local $ENV{CACHESTAT_LOG} = $log;
	my $by_cachestat = cost_by('auto');
	local $ENV{NO_CACHESTAT} = 1;

	unlink $log;
	is(cost_by('auto'), $by_cachestat, 'as much without cachestat()');
	is(scalar(split /\n/, slurp_file($log)), 1, 'which is tried once');
	isnt(cost_by('cold'), $by_cachestat, 'and that is not nothing');
}

$node->stop;
done_testing();
