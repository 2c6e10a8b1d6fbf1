# Callgrind.pm
#	Instructions that a server's sessions execute in some of its functions,
#	counted by callgrind, which runs the server as an emulator does: some 50
#	times as slow, and the same number each time, whatever else the machine
#	does.
package Callgrind;

use strict;
use warnings;

use Exporter qw(import);
use File::Path qw(make_path remove_tree);
use List::Util qw(max);
use Time::HiRes qw(usleep);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw(count_client count_instructions count_workers counted_node
  start_counting stop_counting);

# A statement that reaches a unique function and does nothing.
my $mark = "UNLISTEN ssdpar_mark;\n";
my $mark_function = 'Async_Unlisten';

# A server, not started, for which all tables count as large, and in which
# nothing depends on time.
sub counted_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch = local
ssdpar.residency = hot
ssdpar.cost_model_min_size = 0
ssdpar.prefetch_min_size = 0
autovacuum = off
checkpoint_timeout = 1h
fsync = off
jit = off
CONF
	$node->append_conf('postgresql.conf', 'io_method = sync')
	  if $node->pg_version >= 18;
	return $node;
}

sub dumps_of
{
	return $_[0]->basedir . '/callgrind';
}

# Starts a server that counts in these functions, which it must export.
sub start_counting
{
	my ($node, @functions) = @_;
	my $dumps = dumps_of($node);
	my $program = $node->basedir . '/postgres-callgrind';
	my $bin = $node->config_data('--bindir');

	remove_tree($dumps);
	make_path($dumps);
	PostgreSQL::Test::Utils::append_to_file($program, join(' ',
			"#!/bin/sh\nexec valgrind --tool=callgrind -q --collect-atstart=no",
			(map { "--toggle-collect=$_" } @functions),
			"--dump-before=$mark_function --callgrind-out-file=$dumps/%p",
			"$bin/postgres \"\$@\"\n"))
	  unless -e $program;
	chmod 0755, $program;
	system_or_bail('pg_ctl', '-w', '-s', '-t', 180, '-D', $node->data_dir,
		'-l', $node->logfile, '-p', $program, 'start');
	return;
}

sub stop_counting
{
	my ($node) = @_;

	system_or_bail('pg_ctl', '-w', '-s', '-t', 180, '-D', $node->data_dir,
		'-m', 'fast', 'stop');
	return;
}

sub total
{
	my ($path) = @_;
	my $text = slurp_file($path);
	my @sums = $text =~ /^(?:summary|totals): (\d+)/mg;

	return @sums ? $sums[-1] : 0;
}

# A process writes a file PID.N at its Nth mark, and PID when it ends.
sub marked
{
	my ($node) = @_;
	my @parts = glob(dumps_of($node) . '/*.*');

	return sort { ($a =~ /(\d+)$/)[0] <=> ($b =~ /(\d+)$/)[0] } @parts;
}

# Instructions of one session for each of [preparation, counted statements],
# both SQL.
sub count_instructions
{
	my ($node, @runs) = @_;

	unlink glob(dumps_of($node) . '/*');
	$node->safe_psql('postgres',
		join('', map { "$_->[0]$mark$_->[1]$mark" } @runs));
	my @parts = marked($node);
	die 'callgrind wrote ' . @parts . ' counts of ' . 2 * @runs . "\n"
	  if @parts != 2 * @runs;
	return map { total($parts[ 2 * $_ + 1 ]) } 0 .. $#runs;
}

# Instructions of pgbench's single client.  Its first session tests the
# connection.
sub count_client
{
	my ($node, @options) = @_;
	my @counts;

	unlink glob(dumps_of($node) . '/*');
	local $ENV{PGHOST} = $node->host;
	local $ENV{PGPORT} = $node->port;
	system_or_bail('pgbench', '-n', '-c', '1', '--random-seed=7', @options,
		'postgres');
	foreach (1 .. 10 * $PostgreSQL::Test::Utils::timeout_default)
	{
		@counts = grep { $_ > 0 } map { total($_) }
		  glob(dumps_of($node) . '/*');
		last if @counts == 2;
		usleep(100_000);
	}
	die 'callgrind wrote ' . @counts . " counts of 2\n" if @counts != 2;
	return max(@counts);
}

# Instructions of each parallel worker for everything that a session does.
sub count_workers
{
	my ($node, $sql) = @_;
	my @workers;

	unlink glob(dumps_of($node) . '/*');
	my $session = $node->safe_psql('postgres',
		"SELECT pg_backend_pid();\n\\o /dev/null\n$sql");
	$node->poll_query_until('postgres', "SELECT count(*) = 0"
		  . " FROM pg_stat_activity WHERE backend_type = 'parallel worker'");
	foreach my $path (glob(dumps_of($node) . '/*'))
	{
		my ($pid) = $path =~ /(\d+)$/;
		push @workers, total($path) if $path !~ /\./ && $pid != $session;
	}
	return @workers;
}

1;
