# 094_half_identity.pl
#	If a part of a device's identity cannot be read for lack of a
#	descriptor, the device is not mistaken for another one: not by the
#	session, and not by later ones.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $place = PostgreSQL::Test::Utils::tempdir;
my $node = PostgreSQL::Test::Cluster->new('half_identity');
my $problem = q{SELECT coalesce(ssdpar.profile_problem('pg_default'), 'none')};

system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/files.so",
	'test/no_device_files.c', '-ldl');
$ENV{NO_DEVICE_FILES} = "$place/none";
$node->init;
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
autovacuum = off
jit = off
CONF
{
	local $ENV{LD_PRELOAD} = "$place/files.so";

	$node->start;
}
$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
SELECT 1 FROM ssdpar.calibrate('pg_default', seconds => 0.3,
                               file_size_mb => 16, sizes_kb => '{8,256}',
                               depths => '{1,4}');
SQL

# The cached identity is lost with shared memory.
{
	local $ENV{LD_PRELOAD} = "$place/files.so";

	$node->restart;
}
my $session = $node->background_psql('postgres');

append_to_file("$place/none", '');
is( $session->query_safe($problem),
	'it cannot be found out for now which device it is on',
	'a part of it cannot be read');

unlink("$place/none") or die $!;
is($node->safe_psql('postgres', $problem), 'none', 'another session is right');
is($session->query_safe($problem), 'none', 'and so is the same');
$session->quit;

# A partial identity is not stored either.
append_to_file("$place/none", '');
my ($status, $out, $err) =
  $node->psql('postgres', q{SELECT * FROM ssdpar.calibrate('pg_default',
	seconds => 0.3, file_size_mb => 16)});
like(
	$err,
	qr/ERROR:  could not calibrate tablespace "pg_default": could not find out which device directory "base" is on: Too many open files in system\nDETAIL:  .*\nHINT:  /m,
	'it is not calibrated');
$node->stop;
done_testing();
