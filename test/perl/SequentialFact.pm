# SequentialFact.pm
#	A server whose star scans read a fact sequentially, for tests that
#	observe requests to the kernel.  Small tables count as large, scans do
#	not wait for writers, and nothing else reads.
package SequentialFact;

use strict;
use warnings;

use Exporter qw(import);
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;

our @EXPORT = qw($query load_library make_fact sequential_node start_cold);

# Checks all rows of make_fact()'s fact, and finds 10,000.
our $query =
  'SELECT count(*) FROM fact f, dimension d WHERE f.k = d.k AND d.v < 5';

# Compiles test/NAME.c into that directory, for preloading.
sub load_library
{
	my ($place, $name) = @_;

	system_or_bail('cc', '-shared', '-fPIC', '-o', "$place/$name.so",
		"test/$name.c", '-ldl');
	return "$place/$name.so";
}

# The node is not started.
sub sequential_node
{
	my ($name) = @_;
	my $node = PostgreSQL::Test::Cluster->new($name);

	$node->init;
	$node->append_conf('postgresql.conf', <<'CONF');
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_autostart = off
ssdpar.prefetch_min_size = 0
ssdpar.star_access = sequential
ssdpar.write_protection = -1
min_parallel_table_scan_size = 0
parallel_setup_cost = 0
parallel_tuple_cost = 0
autovacuum = off
fsync = off
CONF
	return $node;
}

# Starts with empty shared buffers and these environment variables.
sub start_cold
{
	my ($node, %environment) = @_;
	local %ENV = (%ENV, %environment);

	$node->stop;
	$node->start;
	return;
}

# Returns its file, below the data directory, and its number of pages.
sub make_fact
{
	my ($node) = @_;

	$node->safe_psql('postgres', <<'SQL');
CREATE EXTENSION ssdpar;
\i test/wide_fact.sql
\i test/invent_device.sql
SQL
	return split /\|/, $node->safe_psql('postgres',
		"SELECT pg_relation_filepath('fact'), pg_relation_size('fact') / 8192");
}

1;
