# 091_upgrade_major.pl
#	pg_upgrade from an older major version of the server: a user's ssdpar
#	objects and profiles are preserved, with each of pg_upgrade's transfer
#	modes; and a new server without the library is refused before anything
#	is changed.
#
# The older servers are those in /opt, where older_server.sh installs them in
# the trees of ./run check; ssdpar is built for them here.  062_upgrade.pl
# tests pg_upgrade to the same version, for all servers.
#
# runs: first

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my ($major) = `pg_config --version` =~ /(\d+)/;
my ($usr) = `pg_config --bindir` =~ m{^(.*)/lib/postgresql/$major/bin$};
my @older = grep { $_->{major} < $major }
  map { m{-(\d+)/usr$} ? { usr => $_, major => $1 } : () }
  glob '/opt/postgresql-*/usr';

plan skip_all => 'no older server in /opt: ./run check --server 17 or 18'
  unless @older && $usr;

# Contains sockets and library paths, so it must be short.
my $place = PostgreSQL::Test::Utils::tempdir_short();
my $space = "$place/space";

# A server with its own library directory; programs find it relative to
# themselves.
sub copy_server
{
	my ($from, $of, $to) = @_;

	mkdir $to or die $!;
	system_or_bail('sh', '-c', "tar -C $from --exclude=pgxs -cf -"
		  . " lib/postgresql/$of share/postgresql/$of | tar -C $to -xf -");
	return "$to/lib/postgresql/$of";
}

# Not optimized, because it only fills the old cluster; headers of 15 are not
# C23.
sub build_for
{
	my ($server) = @_;
	my $build = "$place/build$server->{major}";
	my $bin = "$server->{usr}/lib/postgresql/$server->{major}/bin";

	mkdir $build or die $!;
	system_or_bail('sh', '-c', "tar --exclude='*.o' --exclude='*.so' -cf -"
		  . ' Makefile ssdpar.control ssdpar--1.0.sql advise common probe src'
		  . " | tar -C $build -xf -");
	system_log('make', '-j2', '-C', $build, 'SERVER_ALONE=1', 'with_llvm=no',
		'COPT=-std=gnu17 -O0 -g0 -w', "PG_CONFIG=$bin/pg_config") == 0
	  or die "ssdpar could not be built for $server->{major}\n";
	return $build;
}

sub install_older
{
	my ($server) = @_;
	my $build = build_for($server);
	my $prefix =
	  copy_server($server->{usr}, $server->{major}, "$place/$server->{major}");

	system_or_bail('cp', "$build/ssdpar.so", "$prefix/lib/");
	system_or_bail('cp', "$build/ssdpar.control",
		"$build/built/ssdpar--1.0.sql",
		"$place/$server->{major}/share/postgresql/$server->{major}/extension/");
	return $prefix;
}

sub make_node
{
	my ($name, %params) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name,
		defined $params{prefix} ? (install_path => $params{prefix}) : ());
	my $preload = $params{preload} ? 'ssdpar' : '';

	$node->init(extra => [
			'--encoding=UTF8',
			$params{major} >= 18 ? '--no-data-checksums' : () ]);
	$node->append_conf('postgresql.conf', <<"CONF");
shared_preload_libraries = '$preload'
ssdpar.cost_model_min_size = 0
ssdpar.residency = cold
autovacuum = off
timezone = UTC
CONF
	return $node;
}

#
# What a user has of ssdpar.
#

my $calibrate = q{SELECT tablespace, problem FROM ssdpar.calibrate('space',
  seconds => 0.5, file_size_mb => 16, sizes_kb => '{8,256}',
  depths => '{1,4}')};
my $query = 'SELECT count(*), sum(v), min(w) FROM fact, day'
  . ' WHERE d = k AND w < 5';

my $star = <<'SQL';
CREATE TABLE day (k int PRIMARY KEY, w int);
CREATE TABLE fact (id int PRIMARY KEY, d int, v int) TABLESPACE space;
CREATE INDEX ON fact (d) TABLESPACE space;
INSERT INTO day SELECT i, i / 7 FROM generate_series(0, 199) i;
INSERT INTO fact SELECT i, i % 200, i FROM generate_series(1, 20000) i;
ANALYZE;
SQL
my $view = <<'SQL';
CREATE VIEW devices AS SELECT tablespace, problem FROM ssdpar.device_summary;
SQL

my $settings = <<'SQL';
ALTER DATABASE shop SET ssdpar.star_access = sequential;
ALTER ROLE analyst SET ssdpar.io_budget = 7;
ALTER ROLE analyst IN DATABASE shop SET ssdpar.prefetch = off;
SQL

my $grants = <<'SQL';
GRANT EXECUTE ON FUNCTION ssdpar.stat_reset(),
  ssdpar.store_link(name, double precision, double precision) TO analyst;
REVOKE SELECT ON ssdpar.device_summary FROM PUBLIC;
GRANT SELECT ON ssdpar.device_summary TO analyst WITH GRANT OPTION;
SQL

sub fill
{
	my ($node) = @_;

	mkdir $space or die $!;
	$node->safe_psql('postgres', "CREATE TABLESPACE space LOCATION '$space'");
	$node->safe_psql('postgres', $_)
	  foreach 'CREATE DATABASE shop', 'CREATE ROLE analyst LOGIN',
	  'ALTER SYSTEM SET ssdpar.io_concurrency = 9';
	$node->safe_psql($_, 'CREATE EXTENSION ssdpar')
	  foreach ('postgres', 'shop');
	$node->safe_psql('postgres', slurp_file('test/invent_device.sql')
		  . "SELECT invent_device('depth * 10000', 128, 4e-6);"
		  . 'DROP FUNCTION invent_device');
	is($node->safe_psql('postgres', $calibrate), 'space|', 'calibrated');
	$node->safe_psql('shop', <<'SQL' . $star . $view . $settings . $grants);
CREATE EXTENSION postgres_fdw;
CREATE SERVER far FOREIGN DATA WRAPPER postgres_fdw OPTIONS (host 'far');
SELECT ssdpar.store_link('far', 0.002, 5e7);
SELECT ssdpar.store_shard('far', 1e9, 5e-6);
SQL
	return;
}

# What must be the same before and after.  Since 17, owners have one more
# privilege on all of their objects.
my %shown = (
	profiles => <<'SQL',
SELECT d::text, ssdpar.profile_problem(d.tablespace),
       ssdpar.profile_document(d.tablespace)::text FROM ssdpar.device d
UNION ALL SELECT p::text, NULL, NULL FROM ssdpar.device_profile p
UNION ALL SELECT (to_jsonb(s) - 'age')::text, NULL, NULL
            FROM ssdpar.device_summary s
UNION ALL SELECT l::text, NULL, NULL FROM ssdpar.server_link l
ORDER BY 1
SQL
	settings => <<'SQL',
SELECT datname, rolname, setting
  FROM pg_db_role_setting s CROSS JOIN unnest(setconfig) setting
  LEFT JOIN pg_database d ON d.oid = setdatabase
  LEFT JOIN pg_roles r ON r.oid = setrole
 ORDER BY 1, 2, 3
SQL
	grants => <<'SQL',
SELECT pg_describe_object(classid, objid, 0), grantee::regrole, privilege_type,
       is_grantable
  FROM pg_depend m
  LEFT JOIN pg_proc p ON (classid, objid) = ('pg_proc'::regclass, p.oid)
  LEFT JOIN pg_class c ON (classid, objid) = ('pg_class'::regclass, c.oid)
 CROSS JOIN aclexplode(coalesce(proacl, relacl))
 WHERE refclassid = 'pg_extension'::regclass AND m.deptype = 'e' AND
       refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ssdpar') AND
       privilege_type <> 'MAINTAIN'
 ORDER BY 1, 2, 3
SQL
	rows => "SET ssdpar.enabled = off; $query",
	view => 'SELECT * FROM devices ORDER BY 1');

# All objects of CREATE EXTENSION, with their initial privileges.
my $definitions = <<'SQL';
CREATE FUNCTION pg_temp.privileges(acl aclitem[]) RETURNS text LANGUAGE sql
AS $$SELECT string_agg(concat_ws(' ', grantee::regrole, privilege_type), ', '
                       ORDER BY grantee::regrole::text, privilege_type)
       FROM aclexplode(acl)$$;
SELECT pg_describe_object(m.classid, m.objid, 0), CASE m.classid
         WHEN 'pg_proc'::regclass THEN pg_get_functiondef(m.objid)
         WHEN 'pg_class'::regclass THEN pg_get_viewdef(m.objid) END,
       obj_description(m.objid, m.classid::regclass::name),
       (SELECT string_agg(concat_ws(' ', attname, atttypid::regtype,
                  col_description(attrelid, attnum)), E'\n' ORDER BY attnum)
          FROM pg_attribute a WHERE attrelid = c.oid),
       (SELECT string_agg(pg_get_triggerdef(t.oid), E'\n' ORDER BY tgname)
          FROM pg_trigger t WHERE tgrelid = c.oid),
       pg_temp.privileges(coalesce(proacl, relacl)),
       pg_temp.privileges(initprivs)
  FROM pg_depend m
  LEFT JOIN pg_proc p ON (m.classid, m.objid) = ('pg_proc'::regclass, p.oid)
  LEFT JOIN pg_class c ON (m.classid, m.objid) = ('pg_class'::regclass, c.oid)
  LEFT JOIN pg_init_privs i ON
       (m.classid, m.objid) = (i.classoid, i.objoid) AND i.objsubid = 0
 WHERE m.refclassid = 'pg_extension'::regclass AND m.deptype = 'e' AND
       m.refobjid = (SELECT oid FROM pg_extension WHERE extname = 'ssdpar')
 ORDER BY 1
SQL

sub shown
{
	my ($node) = @_;

	return { map { $_ => $node->safe_psql('shop', $shown{$_}) } keys %shown };
}

# Star scans are forced by the database's setting.
sub is_star_scanned
{
	my ($node, $name, $before) = @_;

	like($node->safe_psql('shop', ($before // '') . "EXPLAIN $query"),
		qr/SsdparStarScan/, "$name: a star scan");
	is( $node->safe_psql('shop', ($before // '') . $query),
		$node->safe_psql('shop', $shown{rows}),
		"$name: the rows of core");
	return;
}

#
# pg_upgrade.
#

# It leaves files in its working directory.
sub upgrade
{
	my ($old, $new, @options) = @_;

	return (
		'sh', '-c', 'cd "$0" && exec "$@"', $place,
		$new->config_data('--bindir') . '/pg_upgrade', '--no-sync',
		'-d', $old->data_dir, '-D', $new->data_dir,
		'-b', $old->config_data('--bindir'),
		'-B', $new->config_data('--bindir'),
		'-s', $place, '-p', $old->port, '-P', $new->port, @options);
}

sub copy_files
{
	my ($from, $to) = @_;

	system_or_bail('rm', '-rf', $to);
	system_or_bail('cp', '-a', $from, $to);
	return;
}

sub is_refused_without_library
{
	my ($old, $name) = @_;
	my $prefix = copy_server($usr, $major, "$place/without");
	unlink glob("$prefix/lib/ssdpar*") or die $!;
	my $new = make_node("without_$name", major => $major, prefix => $prefix);

	command_checks_all(
		[ upgrade($old, $new, @$_) ],
		1,
		[qr/references loadable libraries that are missing/],
		[],
		"$name: refused without the library (@$_)")
	  foreach ([], ['--check']);
	my ($report) =
	  glob $new->data_dir . '/pg_upgrade_output.d/*/loadable_libraries.txt';
	my $said = slurp_file($report);
	like($said, qr/could not load library "\$libdir\/ssdpar": /,
		"$name: which is named");
	like($said, qr/^In database: $_$/m, "$name: with the database $_")
	  foreach ('postgres', 'shop');
	system_or_bail('rm', '-rf', "$place/without");
	return;
}

sub is_like_new
{
	my ($new, $name) = @_;

	is( $new->safe_psql('shop', 'ALTER EXTENSION ssdpar UPDATE;'
			  . ' SELECT count(*) >= 0 FROM ssdpar.advise()'),
		't', "$name: the extension is updated, and the advisor runs");
	$new->safe_psql('postgres', 'CREATE DATABASE fresh');
	$new->safe_psql('fresh', 'CREATE EXTENSION ssdpar');
	is( $new->safe_psql('postgres', $definitions),
		$new->safe_psql('fresh', $definitions),
		"$name: objects as CREATE EXTENSION makes them here");

	my ($old) = $name =~ /^from(\d+)/;
	is($new->safe_psql('shop', $calibrate),
		'space|', "$name: calibrated again");
	is( $new->safe_psql('shop', q{SELECT tablespace, split_part(
  server_version, '.', 1) FROM ssdpar.device ORDER BY 1}),
		"pg_default|$old\nspace|$major", "$name: and only that one has changed");

	$new->safe_psql('postgres', 'CREATE DATABASE again');
	$new->command_ok(
		[
			'sh', '-c', "pg_dump -d '" . $new->connstr('shop')
			  . "' | psql -X -q -v ON_ERROR_STOP=1 -d '"
			  . $new->connstr('again') . q{'}
		],
		"$name: dumped and restored");
	is( $new->safe_psql('again', $_),
		$new->safe_psql('shop', $_), "$name: with the same in it")
	  foreach ($shown{grants}, $shown{rows}, $shown{view});
	return;
}

# An older minor release may not know catalog contents of the other server:
# 17.12 to 18.6 fails on any table.
sub can_without_ssdpar
{
	my ($old) = @_;
	my $of = $old->pg_version->major;
	my $plain = make_node(
		"plain$of",
		major => $of,
		prefix => "$place/$of/lib/postgresql/$of");
	my $new = make_node("plain${of}_new", major => $major);

	$plain->start;
	$plain->safe_psql('postgres', $star =~ s/ TABLESPACE space//gr);
	$plain->stop;
	return run_log([ upgrade($plain, $new) ]);
}

# The file is copied between pg_upgrade and the first start.  Returns false if
# nothing further can be tested.
sub is_upgraded
{
	my ($old, $before, $way, %params) = @_;
	my $name = $old->name . " $way";
	my $new = make_node($name =~ tr/ /_/r, major => $major, %params);

	my $done = run_log([ upgrade($old, $new, "--$way") ]);
  SKIP:
	{
		skip "$name: pg_upgrade fails without ssdpar as well", 1
		  unless $done || can_without_ssdpar($old);
		ok($done, "$name: pg_upgrade");
	}
	return 0 unless $done;
	system_or_bail('cp', $old->data_dir . '/ssdpar.profile', $new->data_dir);
	$new->start;
	if (!$params{preload})
	{
		is_star_scanned($new, "$name, not preloaded", q{LOAD 'ssdpar';});
		$new->append_conf('postgresql.conf',
			"shared_preload_libraries = 'ssdpar'");
		$new->restart;
	}
	my $after = shown($new);
	is($after->{$_}, $before->{$_}, "$name: the same $_")
	  foreach sort keys %shown;
	is_star_scanned($new, $name);
	is( $new->safe_psql(
			'shop', 'SHOW ssdpar.io_budget; SHOW ssdpar.prefetch;'
			  . ' SHOW ssdpar.io_concurrency; SELECT ssdpar.stat_reset()',
			extra_params => [ '-U', 'analyst' ]),
		"7\noff\n0\n",
		"$name: settings of roles and databases, not those of ALTER SYSTEM");
	# the objects are the same in every transfer mode
	is_like_new($new, $name) if $way eq 'copy';
	$new->stop;
	return 1;
}

my @ways = ([ 'copy', preload => 0 ], [ 'link', preload => 1 ]);
push @ways, [ 'swap', preload => 1 ] if $major >= 18;

foreach my $server (@older)
{
	my $name = "from$server->{major}";
	my $old = make_node(
		$name,
		major => $server->{major},
		prefix => install_older($server),
		preload => 1);

	$old->append_conf('postgresql.conf', 'ssdpar.daemon_autostart = off');
	$old->start;
	fill($old);
	is_star_scanned($old, $name);
	my $before = shown($old);
	is($before->{view}, "pg_default|\nspace|", "$name: two profiles, used");
	$old->stop;
	copy_files($old->data_dir, "$place/data.kept");
	copy_files($space, "$place/space.kept");

	is_refused_without_library($old, $name);
	$old->start;
	is_deeply(shown($old), $before, "$name: nothing is lost by that");
	$old->stop;

	foreach my $way (@ways)
	{
		is_upgraded($old, $before, @$way) or last;
		copy_files("$place/data.kept", $old->data_dir);
		copy_files("$place/space.kept", $space);
	}
	system_or_bail('rm', '-rf', $space);
}

done_testing();
