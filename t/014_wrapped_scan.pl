# 014_wrapped_scan.pl
#	If ssdpar tracks a scan and another extension wraps it, both keep
#	calling the previous function, and neither creates an endless loop.
#
# What is announced is tested in t/008_prefetch.pl.

use strict;
use warnings;

use Cwd qw(abs_path);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $rows = 60000;
my $module = abs_path(PostgreSQL::Test::Utils::tempdir()) . '/wrapper.so';
my $headers = qx{@{[ $ENV{PG_CONFIG} || 'pg_config' ]} --includedir-server};
my $node = PostgreSQL::Test::Cluster->new('wrapped');

chomp $headers;
system('cc', '-shared', '-fPIC', '-O2', "-I$headers", '-o', $module,
	'test/wrapper/wrapper.c') == 0
  or die "could not compile test/wrapper/wrapper.c\n";

$node->init;
$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 1MB
max_parallel_workers_per_gather = 0
END
$node->start;
$node->safe_psql('postgres', <<"END");
CREATE TABLE fact AS
  SELECT i::bigint AS id, repeat('x', 500) AS filler
    FROM generate_series(1, $rows) i;
CREATE FUNCTION wrap_cursor(cstring) RETURNS void
  AS '$module' LANGUAGE c;
END

# The scan is checked after 4 ms at the earliest, so wrapping finds sometimes
# one and sometimes the other function.
foreach my $filter ('', 'WHERE id > 0')
{
	is( $node->safe_psql(
			'postgres', <<"END"),
LOAD '$module';
DO \$\$
DECLARE
  part refcursor := 'part';
  answer bigint;
BEGIN
  OPEN part FOR SELECT id FROM fact $filter;
  FOR i IN 1 .. 40 LOOP
    MOVE FORWARD 1000 IN part;
    IF i % 3 = 0 THEN PERFORM pg_sleep(0.006); END IF;
    PERFORM wrap_cursor('part');
  END LOOP;
  FETCH part INTO answer;
  IF answer <> 40001 THEN RAISE 'row %', answer; END IF;
END \$\$;
SELECT 'done';
END
		'done',
		"a cursor wrapped again and again, filter '$filter'");
	is( $node->safe_psql(
			'postgres', "LOAD '$module';"
			  . "SELECT sum(id) FROM fact $filter"),
		$rows * ($rows + 1) / 2,
		"a scan wrapped at its start, filter '$filter'");
}
unlike(slurp_file($node->logfile),
	qr/was terminated by signal/, 'nothing crashed');
$node->stop;
done_testing();
