# 052_monitoring.pl
#	monitoring/: each query for the Prometheus exporter returns the columns
#	that it declares, to a monitoring role; the dashboard uses only metrics
#	that these create; and the exporter itself, if it is installed, shows
#	each of them.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

my $file = 'monitoring/queries.yaml';
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';

# name => {query => SQL, columns => [[name, usage], ...]}.  The file uses a
# subset of YAML whose structure follows from its indentation.
sub read_queries
{
	my (%queries, $name, $in_query);

	foreach my $line (split /\n/, slurp_file($file))
	{
		next if $line =~ /^\s*(#|$)/;
		if ($line =~ /^(\w+):$/) { $name = $1; }
		elsif ($line =~ /^  query: \|$/) { $in_query = 1; }
		elsif ($in_query && $line =~ /^    (.*)/)
		{
			$queries{$name}{query} .= "$1\n";
		}
		elsif ($line =~ /^    - (\w+):$/)
		{
			push @{ $queries{$name}{columns} }, [$1];
		}
		elsif ($line =~ /^        usage: "(LABEL|COUNTER|GAUGE)"$/)
		{
			$queries{$name}{columns}[-1][1] = $1;
		}
		elsif ($line =~ /^        description: "[^"]+"$/) { }
		elsif ($line =~ /^  (metrics:|cache_seconds: \d+)$/) { $in_query = 0; }
		else { die "$file: what is this: $line"; }
	}
	return %queries;
}

# The metrics that the exporter creates, without those for labels.
sub metrics
{
	my (%queries) = @_;

	return map {
		my $name = $_;
		map { "${name}_$_->[0]" }
		  grep { $_->[1] ne 'LABEL' } @{ $queries{$name}{columns} };
	} sort keys %queries;
}

sub test_queries
{
	my ($node, %queries) = @_;

	foreach my $name (sort keys %queries)
	{
		my ($out, $err) = ('', '');
		my $code = $node->psql(
			'postgres', "\\pset tuples_only off\n$queries{$name}{query};",
			extra_params => [ '-U', 'watcher', '-P', 'footer=off' ],
			stdout => \$out,
			stderr => \$err);

		is($code, 0, "$name can be asked") or diag($err);
		my ($header) = grep { $_ !~ /tuples/i } split /\n/, $out;
		is( join(',', sort split(/\|/, $header)),
			join(',', sort map { $_->[0] } @{ $queries{$name}{columns} }),
			'and has these columns');
		my @labels =
		  map { $_->[0] } grep { $_->[1] eq 'LABEL' }
		  @{ $queries{$name}{columns} };
		next if !@labels;
		chomp(my $query = $queries{$name}{query});
		is( $node->safe_psql(
				'postgres',
				"SELECT count(*) FROM ($query) q WHERE "
				  . join(' OR ', map { "$_ IS NULL" } @labels)),
			0,
			'all labels have values');
	}
	return;
}

sub test_dashboard
{
	my (@metrics) = @_;
	my %known = map { $_ => 1 } @metrics;
	my $dashboard = slurp_file('monitoring/grafana.json');
	my %asked = map { $_ => 1 } $dashboard =~ /\b(ssdpar_\w+)/g;

	delete $asked{ssdpar};
	is(system('python3', '-m', 'json.tool', 'monitoring/grafana.json',
			'/dev/null'), 0, 'the dashboard is JSON');
	cmp_ok(scalar(keys %asked), '>', 20, 'that asks for metrics');
	is(join(' ', sort grep { !$known{$_} } keys %asked),
		'', 'all of which there are');
	return;
}

# Debian's prometheus-postgres-exporter, or the upstream name.
sub find_exporter
{
	foreach my $name ('prometheus-postgres-exporter', 'postgres_exporter')
	{
		foreach my $dir (split /:/, $ENV{PATH})
		{
			return "$dir/$name" if -x "$dir/$name";
		}
	}
	return;
}

sub fetch
{
	my ($port) = @_;

	return `python3 -c 'import sys, urllib.request
print(urllib.request.urlopen(sys.argv[1], timeout=60).read().decode())' \\
	http://127.0.0.1:$port/metrics 2>/dev/null`;
}

sub test_exporter
{
	my ($node, @metrics) = @_;
	my $exporter = find_exporter();
	my $text = '';

  SKIP:
	{
		skip 'no exporter is installed', 2 if !$exporter;

		my $port = PostgreSQL::Test::Cluster::get_free_port();
		local $ENV{DATA_SOURCE_NAME} =
		  'host=' . $node->host . ' port=' . $node->port
		  . ' user=watcher dbname=postgres sslmode=disable';
		my $log = "$PostgreSQL::Test::Utils::log_path/exporter.log";
		my $pid = fork();

		if ($pid == 0)
		{
			open(STDOUT, '>', $log);
			open(STDERR, '>&', \*STDOUT);
			exec($exporter, '--disable-default-metrics',
				'--disable-settings-metrics',
				"--extend.query-path=$file",
				"--web.listen-address=127.0.0.1:$port");
			exit 1;
		}
		foreach my $try (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
		{
			$text = fetch($port);
			last if $text =~ /^ssdpar_/m;
			select(undef, undef, undef, 0.1);
		}
		kill('TERM', $pid);
		waitpid($pid, 0);
		is( join(' ', grep { $text !~ /^\Q$_\E[{ ]/m } @metrics),
			'', 'the exporter shows them all');
		unlike(slurp_file($log), qr/Error running query|level=error/,
			'and complains of none');
	}
	return;
}

my $node = PostgreSQL::Test::Cluster->new('monitored');

$node->init;
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$socket'
ssdpar.prefetch = daemon
ssdpar.prefetch_min_size = 0
ssdpar.star_access = sequential
shared_buffers = 1MB
autovacuum = off
END
$node->start;

# Data for each query: counters of a database, a device, advice.
$node->safe_psql('postgres', <<'END');
CREATE ROLE watcher LOGIN IN ROLE pg_monitor, pg_read_all_data;
CREATE EXTENSION ssdpar;
\i test/invent_device.sql
SELECT invent_device('1000 * depth * (8192.0 / size) ^ 0.5', 16384, 4e-6);
CREATE TABLE one AS SELECT i AS k, i AS v FROM generate_series(1, 10) i;
CREATE TABLE read AS SELECT i, i % 2 + 1 AS k, repeat('x', 200)
  FROM generate_series(1, 50000) i;
VACUUM ANALYZE one, read;
END
$node->restart;
$node->poll_query_until('postgres',
	'SELECT problem IS NULL FROM ssdpar.daemon_status()')
  or die 'no daemon';
$node->safe_psql('postgres',
	'SELECT count(*) FROM read JOIN one USING (k) WHERE v = 1');

my %queries = read_queries();
my @metrics = metrics(%queries);

test_queries($node, %queries);
test_dashboard(@metrics);

# Metrics that exist only during a calibration, or if there is advice.
test_exporter($node,
	grep { !/^ssdpar_(calibration|advice)_/ } @metrics);
$node->stop;
done_testing();
