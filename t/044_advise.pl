# 044_advise.pl
#	The advisor on live servers: it neither locks nor reads the user's
#	tables, following its advice silences it, and it works on a standby,
#	for any role, and if a tablespace has disappeared.  sql/advise.sql
#	tests each rule.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# The advice for a server of this size, where objects of 64 kB are large.
my $advice = 'ssdpar.advise_by(ssdpar.gather_evidence(65536))';

sub make_node
{
	my $node = PostgreSQL::Test::Cluster->new('advised');

	$node->init(allows_streaming => 1);
	$node->append_conf('postgresql.conf', <<'END');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = off
autovacuum = off
checkpoint_completion_target = 0.5
maintenance_io_concurrency = 1
END
	$node->start;
	$node->safe_psql('postgres', <<'END');
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('1000 * depth * (8192.0 / size) ^ 0.5', 16384, 4e-6);
CREATE TABLE crowded (id int PRIMARY KEY, v int, pad text);
INSERT INTO crowded SELECT i, 0, repeat('x', 200) FROM generate_series(1, 20000) i;
CREATE INDEX crowded_v ON crowded (v, id);
CREATE INDEX crowded_v_too ON crowded (v);
VACUUM ANALYZE crowded;
UPDATE crowded SET pad = upper(pad);
CHECKPOINT;
SELECT pg_stat_force_next_flush();
END
	return $node;
}

sub test_harmless
{
	my ($node) = @_;
	my $counters = 'SELECT seq_scan, idx_scan, n_tup_upd, n_live_tup'
	  . " FROM pg_stat_user_tables WHERE relname = 'crowded'";
	my $before = $node->safe_psql('postgres', $counters);

	is( $node->safe_psql('postgres', <<"END"), "t\n0", 'locks no table');
BEGIN READ ONLY;
SELECT count(*) > 0 FROM $advice WHERE object ~ 'crowded';
SELECT count(*) FROM pg_locks
 WHERE pid = pg_backend_pid() AND
       relation IN ('crowded'::regclass, 'crowded_v'::regclass,
                    'crowded_v_too'::regclass);
COMMIT;
END
	is($node->safe_psql('postgres', $counters), $before, 'reads none');
	return;
}

# It does not wait for a locked table either.
sub test_locked
{
	my ($node) = @_;
	my $session = $node->background_psql('postgres');
	my $asked = "SET lock_timeout = '10s';"
	  . " SELECT count(*) FROM $advice WHERE object = 'index public.crowded_v_too'";

	is($node->safe_psql('postgres', $asked), 1, 'an index to be dropped');
	$session->query_safe('BEGIN; LOCK TABLE crowded;');
	is($node->safe_psql('postgres', $asked), 0, 'none of a table that is locked');
	$session->query_safe('ROLLBACK;');
	$session->quit;
	return;
}

# Statements are run; shell commands and mere displays are not.
sub test_fixing
{
	my ($node) = @_;
	my $left = '';

	foreach my $round (1 .. 6)
	{
		my @fixes = split /\n/,
		  $node->safe_psql('postgres',
			"SELECT replace(fix, E'\\n', ' ') FROM $advice"
			  . " WHERE fix ~ '^(ALTER|DROP|VACUUM|REINDEX)'");

		last if !@fixes;
		$node->safe_psql('postgres', $_) foreach @fixes;
		$node->reload;
		note(join("\n", @fixes));
	}
	$left = $node->safe_psql('postgres',
		"SELECT rule, object, seen, fix FROM $advice"
		  . " WHERE object !~ '^device' AND fix !~ 'max_combine'");
	is($left, '', 'what was fixed is not said again');
	like(
		$node->safe_psql(
			'postgres',
			"SELECT reloptions FROM pg_class WHERE relname = 'crowded'"),
		qr/fillfactor/,
		'a table was fixed');
	return;
}

# After promotion, it keeps its counters, but from then on only counts its own
# work.  A file's time may be slightly behind the clock.
sub test_promoted
{
	my ($standby) = @_;
	my $before = $standby->safe_psql('postgres',
		"SELECT clock_timestamp() - interval '1 s' FROM pg_sleep(2)");

	$standby->promote;
	is( $standby->safe_psql('postgres', <<"END"), 't|t|t', 'promoted, counting begins');
SET ROLE pg_database_owner;
SELECT ssdpar.counting_began() > '$before',
       (SELECT stats_reset < '$before' FROM pg_stat_bgwriter),
       (SELECT counted_seconds < 7 * 86400 FROM ssdpar.gather_evidence());
END
	unlink($standby->data_dir . '/pg_wal/00000002.history') or die $!;
	is( $standby->safe_psql(
			'postgres',
			'SELECT ssdpar.recovery_ended() IS NULL,'
			  . ' ssdpar.counting_began() IS NULL,'
			  . ' (SELECT counted_seconds IS NULL FROM ssdpar.gather_evidence())'),
		't|t|t',
		'unless it is not known when');
	return;
}

sub test_standby
{
	my ($node) = @_;
	my $standby = PostgreSQL::Test::Cluster->new('advised_standby');
	my ($out, $err) = ('', '');

	$node->backup('copy');
	$standby->init_from_backup($node, 'copy', has_streaming => 1);
	$standby->start;
	$node->wait_for_catchup($standby);
	$standby->psql('postgres', 'SELECT count(*) FROM ssdpar.advise()',
		stdout => \$out, stderr => \$err);
	like($out, qr/^\d+$/, 'answers on a standby');
	like($err, qr/NOTICE:  ssdpar: this is a standby/, 'which it says');
	is( $standby->safe_psql(
			'postgres', "SELECT * FROM $advice WHERE object ~ 'crowded'"),
		'', 'nothing is said of what only the primary can change');
	is($standby->safe_psql('postgres', 'SELECT ssdpar.counting_began() IS NULL'),
		't', 'its counters are not those of the work on the tables');
	test_promoted($standby);
	$standby->stop;
	return;
}

sub test_roles
{
	my ($node) = @_;
	my ($out, $err) = ('', '');

	$node->safe_psql('postgres', 'CREATE ROLE anybody LOGIN');
	$node->psql('postgres',
		'SET ROLE anybody; SELECT count(*) FROM ssdpar.advise()',
		stdout => \$out, stderr => \$err);
	like($out, qr/^\d+$/, 'answers any role');
	like($err, qr/only a part can be seen by role "anybody"/,
		'and says that it sees a part');
	return;
}

sub test_vanished_place
{
	my ($node) = @_;
	my $where = PostgreSQL::Test::Utils::tempdir();

	$node->safe_psql('postgres',
		"CREATE TABLESPACE gone LOCATION '$where'");
	is($node->safe_psql('postgres',
			'SELECT p.place FROM pg_tablespace t,'
			  . ' ssdpar.storage_place(t.oid) p'
			  . " WHERE spcname = 'gone'"),
		'gone', 'a place can be seen');
	rename($where, "$where.elsewhere") or die "rename: $!";
	is($node->safe_psql('postgres',
			'SELECT p.place IS NULL FROM pg_tablespace t,'
			  . ' ssdpar.storage_place(t.oid) p'
			  . " WHERE spcname = 'gone'"),
		't', 'one that has gone cannot');
	like($node->safe_psql('postgres', 'SELECT count(*) FROM ssdpar.advise()'),
		qr/^\d+$/, 'and is passed over');
	my ($out, $err) = ('', '');

	isnt( $node->psql('postgres', q{SELECT ssdpar.calibrate('gone')},
			stdout => \$out, stderr => \$err),
		0, 'nor is it calibrated');
	like($err, qr/ERROR:  could not calibrate tablespace "gone": its directory ".*" cannot be reached: No such file.*HINT:  Was the tablespace dropped/s,
		'which says why');
	rename("$where.elsewhere", $where) or die "rename: $!";
	return;
}

my $node = make_node();

test_harmless($node);
test_locked($node);
test_standby($node);
test_roles($node);
test_vanished_place($node);
test_fixing($node);
$node->stop;
done_testing();
