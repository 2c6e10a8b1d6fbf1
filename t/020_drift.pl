# 020_drift.pl
#	If a device's times no longer match its profile, that is reported in
#	ssdpar.device_summary, and once in the log.
#
# runs: alone
#
# The device cannot be changed, so the profile is made wrong.  The size of the
# error does not matter: fifty million reads per second are beyond any device.

use strict;
use warnings;

use List::Util qw(max);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;
use Time::HiRes qw(time);

my $node = PostgreSQL::Test::Cluster->new('drift');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.cost_model_min_size = '1MB'
max_parallel_workers_per_gather = 0
shared_buffers = 1MB
autovacuum = off
CONF
$node->append_conf('postgresql.conf', "io_method = sync\n")
  if $node->pg_version >= 18;
$node->start;
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
CREATE TABLE big AS SELECT i AS k, repeat('x', 500) AS pad
  FROM generate_series(1, 45000) i;
CREATE TABLE small AS SELECT 1 AS k;
VACUUM (FREEZE, ANALYZE) big, small;
CHECKPOINT;
\i test/invent_device.sql
SQL
my $file = $node->data_dir . '/'
  . $node->safe_psql('postgres', q{SELECT pg_relation_filepath('big')});

# Makes the kernel drop a file from the page cache.
sub evict
{
	system_or_bail('dd', 'if=/dev/null', "of=$file", 'conv=notrunc,fdatasync',
		'oflag=nocache', 'count=0', 'status=none');
}

sub read_bytes
{
	return slurp_file('/proc/self/io') =~ /^read_bytes: (\d+)/m ? $1 : 0;
}

# Not if files have no block device: in memory, on a network.
evict();
my $before = read_bytes();
slurp_file($file);
if (read_bytes() - $before < (-s $file) / 2)
{
	plan skip_all => 'reads of this file system are not counted';
}

# A device this many times as fast as a million reads per second.
sub set_profile
{
	my ($speed) = @_;

	$node->safe_psql('postgres',
		"SELECT invent_device('$speed * depth * 8192e6 / size', 4096)");
}

sub read_cold
{
	my ($times, $query) = @_;

	foreach (1 .. $times)
	{
		evict();
		$node->safe_psql('postgres', $query);
	}
}

sub summary
{
	return $node->safe_psql('postgres',
		'SELECT drift IS NULL, coalesce(drift > 2, false), advice '
		  . 'FROM ssdpar.device_summary');
}

sub log_lines
{
	return scalar(() = slurp_file($node->logfile) =~
		/take [0-9.]+ times as long as its device profile says/g);
}

my $all = 'SELECT count(*) FROM big';

set_profile(50);
is(summary(), 't|f|', 'nothing is known of a new profile');
read_cold(9, $all);
is(summary(), 't|f|', 'nor after nine queries');
is(log_lines(), 0, 'and nothing is logged');
read_cold(3, $all);
like(summary(), qr/^f\|t\|reads take [0-9.]+ times as long as the profile says: run SELECT \* FROM ssdpar.calibrate\('pg_default'\)$/,
	'a device far slower than its profile');
is(log_lines(), 1, 'is said once in the log');
$node->safe_psql('postgres', q{SELECT ssdpar.store_profile('pg_global',
	ssdpar.profile_document('pg_default'));
	SELECT ssdpar.forget_profile('pg_global')});
like(summary(), qr/^f\|t\|/, "another tablespace's profile is no new one");

set_profile(51);
is(summary(), 't|f|', 'a new profile begins anew');
read_cold(12, "SELECT (SELECT count(*) FROM big)");
like(summary(), qr/^f\|t\|reads take/, 'subqueries count, too');
is(log_lines(), 1, 'not said again on the same day');

set_profile(50);
$node->safe_psql('postgres', $all) for 1 .. 12;
is(summary(), 't|f|', 'what is in memory says nothing');
read_cold(12, "SET ssdpar.cost_model = off; $all");
read_cold(12, "SET ssdpar.enabled = off; $all");
is(summary(), 't|f|', 'nor what ssdpar has not priced');
read_cold(12, 'BEGIN; DECLARE c CURSOR FOR SELECT * FROM big; '
	  . 'FETCH 40000 FROM c; COMMIT;');
is(summary(), 't|f|', 'nor cursors, which wait for their client');

set_profile(0.000001);
read_cold(12, $all);
like(summary(), qr/^f\|f\|reads take 0\.0/, 'a device far faster');

# The kernel reads ahead of a scan that computes for long, so it hardly waits,
# which does not mean that the device is faster than its profile.  This scan
# computes three times as long as the device takes for the file, and according
# to the profile its reads take half of that: sixteen pages at once, which is
# how far the kernel reads ahead.
evict();
my $read_from = time;
slurp_file($file);
my $computes = max(0.9, 3 * (time - $read_from));
my $each = $computes * 1000 / 45;
$node->safe_psql('postgres', <<"SQL");
CREATE FUNCTION compute() RETURNS bool LANGUAGE plpgsql AS \$\$
DECLARE
  until timestamptz := clock_timestamp() + interval '$each ms';
BEGIN
  WHILE clock_timestamp() < until LOOP END LOOP;
  RETURN true;
END \$\$;
SQL
my $slow = 'SELECT count(*) FROM big WHERE k % 1000 <> 0 OR compute()';
set_profile((-s $file) / 8192 / 1e6 / 16 / ($computes / 2));
read_cold(12, $slow);
is(summary(), 'f|f|', 'reads that overlap with computing can fit');

# An error within a query must not affect the session's next queries.
set_profile(50);
foreach (1 .. 12)
{
	evict();
	$node->psql('postgres',
		'SELECT count(*) FROM big WHERE 1 / (k - 7) > 1; ' . $all,
		on_error_stop => 0);
}
like(summary(), qr/^f\|t\|/, 'queries after failed ones are measured');

$node->stop;
done_testing();
