# 037_cluster_profile.pl
#	One device profile serves all databases of a server: planning with and
#	without the extension, new databases, a standby, dumps; and whatever is
#	wrong with the file that holds it, queries get core's plans and their rows.
#
# What rows and privileges do is for sql/device.sql, transactions that meet for
# specs/calibrate.spec.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $file = 'ssdpar.profile';
my $temporary = "pgsql_tmp_$file";
my $warning = qr/^(?:psql:.*: )?WARNING:  device profile of tablespace "pg_default" cannot be used: /m;

my $node = PostgreSQL::Test::Cluster->new('cluster');
$node->init(allows_streaming => 1);
$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
autovacuum = off
jit = off
CONF
$node->start;
my $data = $node->data_dir;

# Plans of a few queries with their costs, in a new session.
sub plans
{
	my ($server, $database, $before) = @_;

	return $server->safe_psql($database, ($before // '') . <<'SQL');
EXPLAIN (VERBOSE) SELECT sum(v) FROM fact WHERE d = 7;
EXPLAIN (VERBOSE) SELECT sum(v) FROM fact;
EXPLAIN (VERBOSE) SELECT sum(v) FROM fact, day WHERE d = k AND w = 3;
SQL
}

# Output and messages of a session with those statements.
sub session
{
	my ($server, $database, $statements) = @_;
	my ($out, $err);

	$server->psql($database, $statements, stdout => \$out, stderr => \$err);
	return ($out, $err);
}

sub problem
{
	my ($server, $database) = @_;

	return $server->safe_psql($database,
		"SELECT ssdpar.profile_problem('pg_default')");
}

# The command that another session of psql has, for \! within one.
sub elsewhere
{
	my ($database, $statement) = @_;

	return "\\! psql -X -A -t -d '"
	  . $node->connstr($database)
	  . qq(' -c "$statement" 2>&1\n);
}

sub put_file
{
	my ($content, $path) = @_;

	open my $out, '>:raw', $path // "$data/$file" or die $!;
	print $out $content;
	close $out or die $!;
	return;
}

sub get_file
{
	open my $in, '<:raw', "$data/$file" or die $!;
	local $/;
	return scalar <$in>;
}

#
# Databases: "plain" never has the extension, "also" and "later" have it too.
#
$node->safe_psql('postgres', 'CREATE DATABASE plain');
$node->safe_psql('plain', <<'SQL');
CREATE TABLE fact (d int, v int, pad text);
INSERT INTO fact SELECT i % 200, i, repeat('x', 500)
  FROM generate_series(1, 20000) i;
CREATE INDEX ON fact (d);
CREATE TABLE day (k int PRIMARY KEY, w int);
INSERT INTO day SELECT i, i / 7 FROM generate_series(0, 199) i;
VACUUM ANALYZE fact, day;
SQL
$node->safe_psql('postgres', 'CREATE DATABASE also TEMPLATE plain');
my $without = plans($node, 'plain');

$node->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
$node->safe_psql('postgres', slurp_file('test/invent_device.sql'));
my $invent = "SELECT invent_device('depth * 10000', 128, 4e-6)";
$node->safe_psql('postgres', $invent);
my $with = plans($node, 'plain');
isnt($with, $without, 'a profile changes plans where it was not made');

$node->safe_psql('also', 'CREATE EXTENSION ssdpar');
is(plans($node, 'also'), $with, 'the same plans with the extension');
$node->safe_psql('postgres', 'CREATE DATABASE later TEMPLATE also');
is(plans($node, 'later'), $with, 'and in a new database');
is(problem($node, 'later'), '', 'which has no problem');
my $all = 'SELECT x::text FROM ssdpar.device x'
  . ' UNION ALL SELECT x::text FROM ssdpar.device_profile x ORDER BY 1';
is($node->safe_psql('also', $all),
	$node->safe_psql('postgres', $all), 'the same rows in all databases');
is( $node->safe_psql('also', 'SELECT tablespace FROM ssdpar.device_summary'),
	'pg_default', 'and a summary');

# A session that has planned by one sees the next one.
my $sum = 'EXPLAIN (COSTS OFF) SELECT sum(v) FROM fact WHERE d = 7;';
my ($out, $err) = session($node, 'plain',
	"SELECT sum(v) FROM fact WHERE d = 7;\n"
	  . elsewhere('also', 'DELETE FROM ssdpar.device')
	  . "EXPLAIN (VERBOSE) SELECT sum(v) FROM fact;");
my ($core) = $without =~ /^(.*cost.*width=4\).*)$/m;
like($out, qr/DELETE 1/, 'another database forgets the device');
is(plans($node, 'plain'), $without, 'new sessions plan as core');
unlike($out, qr/ssdpar/, 'so does one that had planned by it');
$node->safe_psql('postgres', $invent);
is(plans($node, 'later'), $with, 'and as before when it is there again');

#
# Calibrations at once, from two databases.
#
my $quick = q{SELECT tablespace FROM ssdpar.calibrate('%s', seconds => 0.1,
 file_size_mb => 16, sizes_kb => '{8}', depths => '{1}')};
my $default = sprintf($quick, 'pg_default') =~ s/\n//r;
my $global = sprintf($quick, 'pg_global') =~ s/\n//r;
($out, $err) = session($node, 'postgres',
	"BEGIN; $default;\n" . elsewhere('also', $default) . 'ROLLBACK;');
like($out, qr/ERROR:  the device of tablespace "pg_default" is already being calibrated/,
	'a calibration keeps those of other databases away');
is(plans($node, 'plain'), $with, 'and changes nothing if it is rolled back');
$node->safe_psql('also', $global);
is( $node->safe_psql('later', 'SELECT tablespace FROM ssdpar.device ORDER BY 1'),
	"pg_default\npg_global", 'profiles of two databases are kept');
is( $node->safe_psql(
		'later', "DELETE FROM ssdpar.device WHERE tablespace = 'pg_global';"
		  . 'SELECT DISTINCT tablespace FROM ssdpar.device_profile'),
	'pg_default',
	'and one is deleted in a third');

# A file that is exchanged while it is read: the one or the other.
my $writer = IPC::Run::start(
	[ 'psql', '-X', '-q', '-d', $node->connstr('also') ], '<', \<<'SQL');
DO $$ BEGIN
  FOR i IN 1..600 LOOP
    INSERT INTO ssdpar.device_profile
      SELECT (jsonb_populate_record(p, '{"operation": "write"}')).*
        FROM ssdpar.device_profile p;
    COMMIT;
    DELETE FROM ssdpar.device_profile WHERE operation = 'write';
    COMMIT;
  END LOOP;
END $$
SQL
($out, $err) = session($node, 'later', <<'SQL');
DO $$ BEGIN
  FOR i IN 1..40000 LOOP
    PERFORM FROM ssdpar.stored_devices();
  END LOOP;
END $$
SQL
is($err, '', 'a file is whole while another takes its place');
$writer->finish;

#
# Restarts, and a crash that left a file half written.
#
$node->restart;
is(plans($node, 'plain'), $with, 'kept over a restart');
put_file('half', "$data/$temporary");
$node->stop('immediate');
$node->start;
is(plans($node, 'plain'), $with, 'kept over a crash');
$node->safe_psql('also', 'UPDATE ssdpar.device SET read_ahead_kb = 128');
is(plans($node, 'plain'), $with, 'and changed after it');
ok(!-e "$data/$temporary", 'nothing is left of the crash');

#
# A file that cannot be written.
#
symlink('/dev/full', "$data/$temporary") or die $!;
($out, $err) = session($node, 'also',
	'UPDATE ssdpar.device SET read_ahead_kb = 4096');
like(
	$err,
	qr/ERROR:  could not write device profiles to "$temporary": No space left on device/,
	'no space for a change');
is(plans($node, 'plain'), $with, 'leaves the profile as it was');
unlink("$data/$temporary");
mkdir("$data/$temporary") or die $!;
($out, $err) = session($node, 'also', 'DELETE FROM ssdpar.device; '
	  . 'UPDATE ssdpar.device SET read_ahead_kb = 1;');
is($err, '', 'a device is forgotten without a new file');
$node->safe_psql('postgres', 'SELECT 1');
rmdir("$data/$temporary") or die $!;
ok(!-e "$data/$file", 'and without a device there is none');
$node->safe_psql('postgres', $invent);

#
# A file that cannot be used: of each kind, a warning, and core's plans.
#
my $good = get_file();
my $length = length $good;

sub changed
{
	my ($offset, $bytes) = @_;
	my $content = $good;

	substr($content, $offset, length $bytes) = $bytes;
	return $content;
}

sub unused
{
	my ($what, $reason) = @_;

	my ($rows, $messages) =
	  session($node, 'plain', 'SELECT sum(v) FROM fact WHERE d = 7;'
		  . 'SELECT sum(v) FROM fact WHERE d = 8;');
	is($rows, "990700\n990800", "$what: rows");
	like($messages, qr/$warning$reason/, "$what: a warning");
	is(scalar(() = $messages =~ /WARNING/g), 1, "$what: only one");
	is(plans($node, 'plain'), $without, "$what: core's plans");
	return;
}

foreach my $case (
	[ 'an empty file', '', 'the file ssdpar.profile is cut off' ],
	[ 'half a file', substr($good, 0, $length / 2), 'the file .* is cut off' ],
	[ 'a byte less', substr($good, 0, $length - 1), 'the file .* is cut off' ],
	[ 'a byte more', "${good}x", 'the file .* is damaged' ],
	[ 'a changed byte', changed($length / 2, "\x7f\x7e"), 'the file .* is damaged' ],
	[ 'a header alone', substr($good, 0, 32), 'the file .* is cut off' ],
	[ 'another file', "hello, world\n" x 100, 'the file .* is something else' ],
	[ 'a newer version', changed(8, pack('L', 3)), 'the file .* is of a newer version of ssdpar' ],
	[ 'an older version', changed(8, pack('L', 0)), 'the file .* is of another version of ssdpar' ],
	[ 'other records', changed(16, pack('L', 8)), 'the file .* is of another version of ssdpar' ],
	[ 'countless devices', changed(24, pack('L', 0xffffffff)), 'the file .* is damaged' ],
	[ 'countless points', changed(28, pack('L', 0x80000000)), 'the file .* is damaged' ],
	[ 'a huge file', 'x' x 20_000_000, 'the file .* is something else' ])
{
	my ($what, $content, $reason) = @$case;

	put_file($content);
	unused($what, $reason);
}

# Links to other servers lie behind the points: of another size, or more than
# there can be, and with the right checksum.
foreach my $case (
	[ 'links of another size', pack('L2', 8, 1) . 'x' x 8, 'of another version' ],
	[ 'countless links', pack('L2', 528, 0xffffffff) . 'x' x 528, 'damaged' ],
	[ 'no links', pack('L2', 528, 0), 'damaged' ],
	[ 'half a link', pack('L2', 528, 1) . 'x' x 264, 'damaged' ],
	[ 'half a header of links', 'xxxx', 'damaged' ])
{
	my ($what, $more, $reason) = @$case;
	my $content = $good . $more;

	substr($content, 12, 4) = pack 'L', checksum(substr $content, 16);
	put_file($content);
	unused($what, "the file ssdpar.profile is $reason");
}

# The same record twice, which no change writes: the second one would stay when
# the first one is removed.
foreach my $case ([ 'a device', 24, 32, unpack('L', substr $good, 16, 4) ],
	[ 'a point', 28, 32 + unpack('L', substr $good, 16, 4),
		unpack('L', substr $good, 20, 4) ])
{
	my ($what, $counted, $at, $size) = @$case;
	my $content = $good;

	substr($content, $at, 0) = substr $good, $at, $size;
	substr($content, $counted, 4) =
	  pack 'L', 1 + unpack('L', substr $good, $counted, 4);
	substr($content, 12, 4) = pack 'L', checksum(substr $content, 16);
	put_file($content);
	unused("$what twice", 'the file ssdpar.profile is damaged');
}
my $links = $good . pack('L2', 528, 1)
  . pack('q d4 a488', 0, 'nan', 'inf', 'nan', -1, "\xe4" x 488);
substr($links, 12, 4) = pack 'L', checksum(substr $links, 16);
put_file($links);
is($node->safe_psql('also', 'SELECT latency_seconds, length(address)
  FROM ssdpar.stored_links()'), 'NaN|487', 'whatever a link says');
is(plans($node, 'plain'), $with, 'a profile with links is used');

# With the right checksum any text is shown, as ASCII.
sub checksum
{
	my ($bytes) = @_;
	my $crc = 0xffffffff;

	foreach my $byte (unpack 'C*', $bytes)
	{
		$crc ^= $byte;
		$crc = $crc & 1 ? $crc >> 1 ^ 0x82f63b78 : $crc >> 1 for 1 .. 8;
	}
	return $crc ^ 0xffffffff;
}
my $foreign = $good =~ s/any device/any d\xe4vice/r;
substr($foreign, 12, 4) = pack 'L', checksum(substr $foreign, 16);
put_file($foreign);
is($node->safe_psql('also', 'SELECT identity FROM ssdpar.device'),
	'any d?vice', 'a text that is not ASCII');

# What makes no sense is replaced by a change, and said.
put_file(substr($good, 0, 100));
($out, $err) = session($node, 'also', 'SELECT count(*) FROM ssdpar.device');
like($err, qr/WARNING:  device profiles cannot be shown: the file .* is cut off/,
	'the view says why it is empty');
($out, $err) = session($node, 'postgres', "$invent;");
like($err, qr/WARNING:  all device profiles are replaced: the file/,
	'a change replaces what is damaged');
is(plans($node, 'plain'), $with, 'and it is used');

# What cannot be read may be good, and is kept.
sub kept
{
	my ($what) = @_;

	my ($rows, $messages) = session($node, 'postgres', "$invent;");
	like($messages, qr/ERROR:  cannot change device profiles: /,
		"$what: not replaced");
	my $again = 'DELETE FROM ssdpar.device; '
	  . "INSERT INTO ssdpar.device_profile VALUES ('pg_default', 'read', "
	  . "'random', 8192, 1, 1000, 8192000, 1000, 1000, 0, 3);";
	$node->psql('postgres', $again x 3 . 'SELECT 7;',
		on_error_stop => 0, stdout => \$rows, stderr => \$messages);
	is(scalar(() = $messages =~ /ERROR:  cannot change device profiles: /g),
		3, "$what: nor later in the session");
	is($rows, '7', "$what: which goes on");
	($rows, $messages) = session($node, 'postgres',
		"SET statement_timeout = '30s'; SELECT FROM ssdpar.calibrate(seconds => 60);");
	like($messages, qr/ERROR:  cannot change device profiles: /,
		"$what: known before a minute of measuring");
	return;
}
SKIP:
{
	skip 'root may read any file', 9 if $> == 0;
	chmod(0, "$data/$file") or die $!;
	unused('no permission', 'the server may not read the file');
	like(slurp_file($node->logfile), qr/could not read device profiles from "$file": Permission denied/,
		'the log says why');
	kept('no permission');
	chmod(0600, "$data/$file") or die $!;
}
foreach my $make ([ 'a directory', sub { mkdir $_[0] } ],
	[ 'a FIFO', sub { system_or_bail('mkfifo', $_[0]) } ])
{
	rename("$data/$file", "$data/aside") or die $!;
	$make->[1]->("$data/$file");
	unused($make->[0], 'the file .* is something else');
	kept($make->[0]);
	rmdir("$data/$file") or unlink("$data/$file");
	rename("$data/aside", "$data/$file") or die $!;
}
is(plans($node, 'plain'), $with, 'as before');

#
# A tablespace that goes, and another one with its OID.
#
my $make_space = q{SET allow_in_place_tablespaces = on;
CREATE TABLESPACE %s LOCATION ''};
my $of_space = q{
INSERT INTO ssdpar.device
  SELECT (jsonb_populate_record(d, '{"tablespace": "space",
		"identity": "another device"}')).* FROM ssdpar.device d;
INSERT INTO ssdpar.device_profile
  SELECT (jsonb_populate_record(p, '{"tablespace": "space"}')).*
    FROM ssdpar.device_profile p;};
my $oid_of = 'SELECT oid FROM pg_tablespace WHERE spcname = ';
$node->safe_psql('postgres', sprintf($make_space, 'space'));
$node->safe_psql('also', $of_space);
my $oid = $node->safe_psql('postgres', "$oid_of 'space'");
$node->safe_psql('postgres', 'DROP TABLESPACE space');
# an OID is not used again while a row that had it is there
$node->safe_psql('postgres', 'VACUUM pg_tablespace');
is($node->safe_psql('also', 'SELECT tablespace FROM ssdpar.device'),
	'pg_default', 'the profile of a dropped tablespace is not shown');
$node->stop;
$node->command_ok([ 'pg_resetwal', '-o', $oid, $data ], 'OIDs start again');
$node->start;
$node->safe_psql('postgres', sprintf($make_space, 'other'));
is($node->safe_psql('postgres', "$oid_of 'other'"),
	$oid, 'another tablespace has its OID');
is( $node->safe_psql('also', "SELECT ssdpar.profile_problem('other')"),
	'it was measured on another device',
	'and no use of its profile');
$node->safe_psql('postgres', 'DROP TABLESPACE other');
$node->safe_psql('also', 'UPDATE ssdpar.device SET read_ahead_kb = 128');
is(length get_file(), $length, 'the next change removes it');

#
# Dumps.
#
my $dump = $node->basedir . '/dump.sql';
$node->command_ok(
	[ 'pg_dump', '-f', $dump, '-d', $node->connstr('also') ], 'pg_dump');
unlike(slurp_file($dump), qr/any device/, 'a dump has no profile');
$node->safe_psql('postgres', 'CREATE DATABASE copy');
$node->command_ok(
	[
		'psql', '-X', '-q', '-v', 'ON_ERROR_STOP=1', '-d',
		$node->connstr('copy'), '-f', $dump
	],
	'restore');
is($node->safe_psql('copy', $all), $node->safe_psql('also', $all),
	'what was restored has the profile of its server');

# In another server it is imported, or the file is copied.
my $document = $node->safe_psql('also',
	"SELECT ssdpar.profile_document('pg_default')");
my $other = PostgreSQL::Test::Cluster->new('other');
$other->init;
$other->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
CONF
$other->start;
$other->safe_psql('postgres', 'CREATE EXTENSION ssdpar');
is(problem($other, 'postgres'),
	'the tablespace has not been calibrated', 'another server has none');
$other->safe_psql('postgres',
	"SELECT ssdpar.store_profile('pg_default', \$\$$document\$\$)");
is(problem($other, 'postgres'), '', 'a document is imported');
$other->safe_psql('postgres', 'DELETE FROM ssdpar.device');
put_file(get_file(), $other->data_dir . "/$file");
is(problem($other, 'postgres'), '', 'a file is copied');
is($other->safe_psql('postgres', $all), $node->safe_psql('also', $all),
	'with the same rows');
$other->stop;

#
# A standby of another device.
#
$node->safe_psql('also', "UPDATE ssdpar.device SET identity = 'another device'");
put_file('half', "$data/$temporary");
$node->backup('backup');
unlink("$data/$temporary");
ok(!-e $node->backup_dir . "/backup/$temporary",
	'a base backup leaves the temporary file out');
my $standby = PostgreSQL::Test::Cluster->new('standby');
$standby->init_from_backup($node, 'backup', has_streaming => 1);
$standby->start;
my $another = 'it was measured on another device';
is(problem($standby, 'also'), $another, 'a standby knows its own device');
is(plans($standby, 'plain'), $without, 'and plans as core');
(undef, $err) = session($standby, 'also', 'DELETE FROM ssdpar.device');
like($err, qr/ERROR:  cannot execute DELETE in a read-only transaction/,
	'rows are not changed there');
$standby->safe_psql('also', $default);
is(problem($standby, 'also'), '', 'it is calibrated by itself');
is(problem($node, 'also'), $another, "which leaves the primary's alone");
$node->safe_psql('also', 'UPDATE ssdpar.device SET read_ahead_kb = 7');
$node->wait_for_catchup($standby);
is(problem($standby, 'also'), '', 'nor is its own replaced');
$standby->safe_psql('also',
	"SELECT ssdpar.store_profile('pg_default', \$\$$document\$\$)");
is(plans($standby, 'plain'), $with, 'it takes a document');
my $fdw = $node->safe_psql('also', "SELECT count(*) FROM pg_available_extensions
  WHERE name = 'postgres_fdw'");
if ($fdw)
{
	$node->safe_psql('also', "CREATE EXTENSION postgres_fdw;
	  CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'far')");
	$node->wait_for_catchup($standby);
	(undef, $err) =
	  session($standby, 'also', "SELECT ssdpar.calibrate_server('far')");
	like($err, qr/cannot be calibrated on a standby.*store_link\('far'/s,
		'a standby is told what its links are');
	$standby->safe_psql('also', "SELECT ssdpar.store_link('far', 0.002, 1e7)");
}
$standby->restart;
is(plans($standby, 'plain'), $with, 'and keeps it');
if ($fdw)
{
	my $link = 'SELECT address, latency_seconds, bytes_per_second'
	  . ' FROM ssdpar.stored_links()';

	is($standby->safe_psql('also', $link),
		'host=far|0.002|10000000', 'and its link');
	is($standby->safe_psql('postgres', $link),
		'host=far|0.002|10000000', 'in all databases');
	is($node->safe_psql('also', $link), '', 'the primary has none');
}
$standby->promote;
is(plans($standby, 'plain'), $with, 'as a primary, too');
$standby->stop;

#
# Without shared memory, sessions look at the file.
#
$node->append_conf('postgresql.conf', "shared_preload_libraries = ''\n");
$node->restart;
my $iops = "SELECT ssdpar.profile_iops('pg_default', 'random', 8192, 1);\n";
($out, $err) = session($node, 'also', "LOAD 'ssdpar';\n$iops"
	  . elsewhere('later', 'UPDATE ssdpar.device_profile SET iops = 4321')
	  . "$iops BEGIN;\n"
	  . elsewhere('later', 'UPDATE ssdpar.device_profile SET iops = 1234')
	  . "$iops COMMIT;");
is($out, "10000\nUPDATE 12\n4321\nUPDATE 12\n1234",
	'a change is seen by the next statement');
unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed');
$node->stop;
done_testing();
