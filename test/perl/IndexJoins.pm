# IndexJoins.pm
#	A server whose planner can only use index joins, on a device that suits
#	them.
package IndexJoins;

use strict;
use warnings;

use Exporter qw(import);

our @EXPORT = qw(index_join_settings index_join_device);

# Lines of postgresql.conf.
sub index_join_settings
{
	return <<'END';
shared_preload_libraries = 'ssdpar'
autovacuum = off
fsync = off
jit = off
max_parallel_workers_per_gather = 0
ssdpar.residency = cold
ssdpar.cost_model_min_size = 0
ssdpar.star_scan = off
enable_hashjoin = off
enable_mergejoin = off
enable_bitmapscan = off
enable_memoize = off
enable_material = off
END
}

# Statements that invent the device; psql runs them at the top of the sources.
sub index_join_device
{
	return <<'END';
\i test/invent_device.sql
SELECT invent_device('CASE depth WHEN 1 THEN 100 ELSE depth * 1e4 END', 128, 5e-6);
END
}

1;
