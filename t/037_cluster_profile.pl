# 037_cluster_profile.pl
#	One device profile serves all databases of a server: planning with and
#	without the extension, new databases, a standby, and dumps.  If its
#	file is unusable in any way, queries get core's plans and their rows.
#
# sql/device.sql tests documents and privileges; specs/ tests concurrent
# sessions.

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

# Output and messages of a session with these statements.
sub session
{
	my ($server, $database, $statements) = @_;
	my ($out, $err);

	$server->psql($database, $statements, stdout => \$out, stderr => \$err);
	return ($out, $err);
}

# Changes a profile as test/invent_device.sql does.
sub change
{
	my ($changes) = @_;

	return $node->safe_psql('postgres', "SELECT change_profile('$changes')");
}

sub problem
{
	my ($server, $database) = @_;

	return $server->safe_psql($database,
		"SELECT ssdpar.profile_problem('pg_default')");
}

# The command for another session of psql, for use with \! within one.
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

# A session that has planned with one profile sees the next one.
my $sum = 'EXPLAIN (COSTS OFF) SELECT sum(v) FROM fact WHERE d = 7;';
my ($out, $err) = session($node, 'plain',
	"SELECT sum(v) FROM fact WHERE d = 7;\n"
	  . elsewhere('also', "SELECT 'gone' WHERE ssdpar.forget_profile('pg_default')")
	  . "EXPLAIN (VERBOSE) SELECT sum(v) FROM fact;");
my ($core) = $without =~ /^(.*cost.*width=4\).*)$/m;
like($out, qr/gone/, 'another database forgets the device');
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
is(plans($node, 'plain') eq $with, '', 'and its profile stays if it is rolled back');
$node->safe_psql('postgres', $invent);
$node->safe_psql('also', $global);
is( $node->safe_psql('later', 'SELECT tablespace FROM ssdpar.device ORDER BY 1'),
	"pg_default\npg_global", 'profiles of two databases are kept');
is( $node->safe_psql(
		'later', "SELECT ssdpar.forget_profile('pg_global');"
		  . 'SELECT DISTINCT tablespace FROM ssdpar.device_profile'),
	"t\npg_default",
	'and one is removed in a third');

# The file is replaced while it is read: each read returns a complete version.
my $writer = IPC::Run::start(
	[ 'psql', '-X', '-q', '-d', $node->connstr('postgres') ], '<', \<<'SQL');
SELECT invent_device('10000 * depth', 128, 4e-6);
SELECT ssdpar.profile_document('pg_default') AS one \gset
SELECT change_points($$'{"iops": 7}'$$), change_profile('{"seconds": 7}');
SELECT ssdpar.profile_document('pg_default') AS other \gset
SELECT count(*) FROM (SELECT ssdpar.store_profile('pg_default',
    CASE n % 2 WHEN 0 THEN :'one' ELSE :'other' END::json)
  FROM generate_series(1, 201) n) x;
SQL
($out, $err) = session($node, 'later', <<'SQL');
SELECT bool_and((d ->> 'seconds' = '7') = (points ~ '^7( 7)*$')) AS whole
  FROM (SELECT ssdpar.profile_document('pg_default') AS d
          FROM generate_series(1, 4000)) x,
       LATERAL (SELECT string_agg(p ->> 'iops', ' ')
                  FROM json_array_elements(d -> 'points') p) y (points);
SQL
is($err, '', 'a file is whole while another takes its place');
is($out, 't', 'and has nothing of both');
$writer->finish;
$node->safe_psql('postgres', $invent);

# Two concurrent changes for two tablespaces: none is lost.
my @both = map {
	IPC::Run::start(
		[ 'psql', '-X', '-q', '-d', $node->connstr('postgres') ],
		'<', \"SELECT count(*) FROM (SELECT ssdpar.store_profile('$_',
		  jsonb_set(ssdpar.profile_document('pg_default')::jsonb, '{seconds}',
		            to_jsonb(n))::json) FROM generate_series(1, 50) n) x;")
} ('pg_default', 'pg_global');
$_->finish foreach @both;
is($node->safe_psql('also', 'SELECT tablespace, seconds FROM ssdpar.device ORDER BY 1'),
	"pg_default|50\npg_global|50", 'two sessions that store profiles');
$node->safe_psql('also', "SELECT ssdpar.forget_profile('pg_global')");
$node->safe_psql('postgres', $invent);

#
# Restarts, and a crash that left a file half written.
#
$node->restart;
is(plans($node, 'plain'), $with, 'kept over a restart');
put_file('half', "$data/$temporary");
$node->stop('immediate');
$node->start;
is(plans($node, 'plain'), $with, 'kept over a crash');
change('{"device": {"read_ahead_kb": 128}}');
is(plans($node, 'plain'), $with, 'and changed after it');
ok(!-e "$data/$temporary", 'nothing is left of the crash');

#
# A file that cannot be written.
#
symlink('/dev/full', "$data/$temporary") or die $!;
($out, $err) = session($node, 'postgres',
	q(SELECT change_profile('{"device": {"read_ahead_kb": 4096}}')));
like(
	$err,
	qr/ERROR:  could not write device profiles to "$temporary": No space left on device/,
	'no space for a change');
is(plans($node, 'plain'), $with, 'leaves the profile as it was');
ok(!-l "$data/$temporary", 'nor a file behind');
mkdir("$data/$temporary") or die $!;
($out, $err) = session($node, 'also', "SELECT ssdpar.forget_profile('pg_default')");
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
	[ 'an empty file', '' ],
	[ 'half a file', substr($good, 0, $length / 2) ],
	[ 'a byte less', substr($good, 0, $length - 2) ],
	[ 'a byte more', "${good}x" ],
	[ 'another file', "hello, world\n" x 100 ],
	[ 'another document', '{"format": "else"}' ],
	[ 'a zero byte', changed($length / 2, "\0") ],
	[ 'a text that is not ASCII', $good =~ s/any device/any d\xe4vice/r ],
	[ 'an escape of no character', $good =~ s/any device/any \\ud800/r ],
	[ 'thousands of brackets', '[' x 100_000 ],
	[ 'a number that is none', $good =~ s/"iops": \d+/"iops": 1e400/r ],
	[ 'a negative number', $good =~ s/"iops": \d+/"iops": -1/r ],
	[ 'a text for a number', $good =~ s/"queue_depth": \d+/"queue_depth": "x"/r ],
	[ 'a member less', $good =~ s/"iops": \d+, //r ],
	[ 'no tablespace', $good =~ s/"tablespace": \d+/"tablespace": 0/r ],
	[ 'a device twice', $good =~ s/("profiles": \[\n)(.*)(\],\n"links")/$1$2,$2$3/sr ],
	[ 'a huge file', 'x' x 20_000_000 ],
	[ 'a newer version', $good =~ s/"version": 1,/"version": 2,/r, 'is of a newer version of ssdpar' ])
{
	my ($what, $content, $reason) = @$case;

	isnt($content, $good, "$what: it differs");
	put_file($content);
	unused($what, 'the file ssdpar.profile (?:'
		  . ($reason // 'is damaged: .*|is something else') . ')');
}

# Whatever the damage: there is a profile or none, and no query fails.
srand(57);
foreach my $round (1 .. 60)
{
	my $content = $good;

	substr($content, int(rand(length $content)), int(rand(9))) =
	  join '', map { substr '{}[]",:0-9e.\\u null', int(rand(19)), 1 } 1 .. int(rand(5));
	put_file($content);
	my ($rows, $messages) = session($node, 'also', 'SELECT sum(v) FROM fact WHERE d = 7;'
		  . 'SELECT count(*) >= 0 FROM ssdpar.device_summary;');
	$rows eq "990700\nt" or die "round $round: $rows $messages in $content";
}
pass('files with bytes that changed');

put_file('[' x 3_000_000);
$node->restart;
unused('a file of brackets', 'the file ssdpar.profile is damaged: stack depth limit exceeded');
put_file($good);

# What makes no sense is replaced by a change, and said.
put_file(substr($good, 0, 100));
($out, $err) = session($node, 'also', 'SELECT count(*) FROM ssdpar.device');
like($err, qr/WARNING:  device profiles cannot be shown: the file .* is damaged/,
	'the view says why it is empty');
($out, $err) = session($node, 'postgres', "$invent;");
like($err, qr/WARNING:  all device profiles are replaced: the file/,
	'a change replaces what is damaged');
is(plans($node, 'plain'), $with, 'and it is used');

# The binary file of an older version is not read, and not lost.
my $binary = 'SSDPARDP' . pack('L6', 2, 0, 1368, 88, 1, 12) . "\xff\0" x 1000;
my $older = 'the file ssdpar.profile was written by an older version of ssdpar: run ssdpar.calibrate() again';
put_file($binary);
unused('a binary file', quotemeta $older);
$node->restart;
is(get_file(), $binary, 'it stays when the server starts');
($out, $err) = session($node, 'postgres', "$invent;");
like($err, qr/WARNING:  all device profiles are replaced: \Q$older\E/,
	'a change begins with none');
is(slurp_file($node->data_dir . '/ssdpar.profile.old'), $binary, 'and keeps the binary file');
is(plans($node, 'plain'), $with, 'the new profile is used');

# What cannot be read may be good, and is kept.
sub kept
{
	my ($what) = @_;

	my ($rows, $messages) = session($node, 'postgres', "$invent;");
	like($messages, qr/ERROR:  cannot change device profiles: /,
		"$what: not replaced");
	my $again = "SELECT ssdpar.forget_profile('pg_default');";
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
my $of_space = q{SELECT ssdpar.store_profile('space',
	jsonb_set(ssdpar.profile_document('pg_default')::jsonb, '{device,identity}',
		'"another device"')::json)};
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
change('{"device": {"read_ahead_kb": 128}}');
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
$other->safe_psql('postgres', "SELECT ssdpar.forget_profile('pg_default')");
put_file(get_file(), $other->data_dir . "/$file");
is(problem($other, 'postgres'), '', 'a file is copied');
is($other->safe_psql('postgres', $all), $node->safe_psql('also', $all),
	'with the same rows');
$other->stop;

#
# A standby of another device.
#
change('{"device": {"identity": "another device"}}');
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
$standby->safe_psql('also', "SELECT ssdpar.forget_profile('pg_default')");
is(problem($standby, 'also'), 'the tablespace has not been calibrated',
	'it can forget it');
$standby->safe_psql('also', $default);
is(problem($standby, 'also'), '', 'it is calibrated by itself');
is(problem($node, 'also'), $another, "which leaves the primary's alone");
change('{"device": {"read_ahead_kb": 7}}');
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
	  . elsewhere('postgres', "SELECT invent_device('4321', 128)")
	  . "$iops BEGIN;\n"
	  . elsewhere('postgres', "SELECT invent_device('1234', 128)")
	  . "$iops COMMIT;");
is($out =~ s/\n\s*\n/\n/gr, "10000\n4321\n1234",
	'a change is seen by the next statement');
unlike(slurp_file($node->logfile), qr/PANIC|was terminated by signal|TRAP/,
	'nothing crashed');
$node->stop;
done_testing();
