# 084_quick_profile.pl
#	A quickly measured profile is recognized by its contents, even if it
#	was imported, restored, or made by an older version, and leads to
#	advice to calibrate again.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $node = PostgreSQL::Test::Cluster->new('quick_profile');
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
autovacuum = off
jit = off
CONF
$node->start;

sub sql
{
	return $node->safe_psql('postgres', $_[0]);
}

sql('CREATE EXTENSION ssdpar');
sql(q{SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.1,
	file_size_mb => 16, sizes_kb => '{8}', depths => '{1}')});
my $identity = sql('SELECT identity FROM ssdpar.device');

# A document of reads with these sizes and depths, in SQL.
sub document
{
	my (%run) = @_;
	my $streams = $run{streams} ? 'queue_depth <= 8' : 'false';

	return qq{json_build_object('format', 'ssdpar-probe', 'version', 1,
	  'engine_version', '1', 'measured_at', '2026-01-01T00:00:00Z',
	  'file_size', $run{megabytes} * 1048576::int8, 'seconds', $run{seconds},
	  'device', json_build_object('identity', '$identity'), 'points',
	  (SELECT json_agg(json_build_object('operation', 'read',
	     'pattern', pattern, 'request_size', kb * 1024,
	     'queue_depth', queue_depth, 'iops', 1000 * queue_depth,
	     'bytes_per_second', 1e6, 'latency_p50', 1, 'latency_p99', 2,
	     'spread', 0.01, 'passes', $run{passes}))
	     FROM unnest('{random,sequential,streams}'::text[]) pattern,
	          unnest('{$run{sizes}}'::int[]) kb,
	          unnest('{$run{depths}}'::int[]) queue_depth
	    WHERE pattern <> 'streams' OR kb = 256 AND $streams))};
}
my %whole = (
	sizes => '8,16,32,64,128,256',
	depths => '1,2,4,8,16,32,64',
	megabytes => 1024,
	seconds => 44.2,
	passes => 3,
	streams => 1);
my %quick = (
	sizes => '8,64,256',
	depths => '1,2,8,16,32,64',
	megabytes => 256,
	seconds => 4.9,
	passes => 4);

my $advice = 'SELECT advice FROM ssdpar.device_summary';

sub store
{
	sql("SELECT ssdpar.store_profile('pg_default', " . document(@_) . ')');
	return;
}

sub is_hurried
{
	my ($what) = @_;

	like(sql($advice), qr/^measured in a hurry: run /, "$what: advice");
	return;
}

sub is_whole
{
	my ($what, $said) = @_;

	is(sql($advice), $said // '', "$what: advice");
	return;
}

store(%quick);
is_hurried('more visits than in a whole one');
store(%whole);
is_whole('a whole one');

# The exact points of a quick profile, with the duration of a full one.
store(%quick, seconds => 44.2);
is_whole('few points, with time');
store(%quick, sizes => '8', depths => '1,8');
is_whole('fewer still');

# A device that cannot be measured as often in that time, and an older version
# with fewer passes.
store(%quick, passes => 1, seconds => 14.8);
is_hurried('a slow device');
store(%whole);
is_whole('a whole one again');
store(%quick, depths => '1,4,8,16,32,64', passes => 2);
is_hurried('an older one');

# A full one that ran out of space, or of time.
store(%whole, megabytes => 128);
is_whole('without room');
store(%whole, megabytes => 128, passes => 2);
is_hurried('nor time');

# Earlier measurements of writes do not count: twice as many as reads.
my $with_writes = q{SELECT change_profile(jsonb_build_object('points',
	(SELECT jsonb_agg(point) FROM ssdpar.device_profile p, unnest('{0,1,2}'::int[]) n,
	   LATERAL (SELECT CASE n WHEN 0 THEN to_jsonb(p) ELSE to_jsonb(p) ||
	     jsonb_build_object('operation', 'write',
	       'request_size', request_size * n + n, 'passes', 3) END) x (point))))};
$node->safe_psql('postgres', slurp_file('test/invent_device.sql'));
store(%quick);
sql($with_writes);
is_hurried('with writes');
my $no_writes = "SELECT ssdpar.forget_profile('pg_default')";
sql($no_writes);
store(%whole);
is_whole('a whole one once more');
store(%quick, passes => 2);
sql($with_writes);
is_hurried('with writes, an older one');
sql($no_writes);
store(%whole);
is_whole('a whole one at last');

# Exported and imported.
store(%quick);
sql(q{SELECT ssdpar.store_profile('pg_default',
	ssdpar.profile_document('pg_default'))});
is_hurried('exported and imported');
store(%whole);
sql(q{SELECT ssdpar.store_profile('pg_default',
	ssdpar.profile_document('pg_default'))});
is_whole('a whole one likewise');

# Created by calibrate().
sql(q{SELECT 1 FROM ssdpar.calibrate(quick => true)});
is(sql('SELECT count(*) FROM ssdpar.device_profile'), 36, 'a quick one');
is_hurried('measured');

$node->stop;
done_testing();
