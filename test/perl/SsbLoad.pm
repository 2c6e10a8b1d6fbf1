# SsbLoad.pm
#	A server with the Star Schema Benchmark's tables, for tests of ssbload:
#	runs it, and examines the results.  It only checks that a refusal is
#	one message.
package SsbLoad;

use strict;
use warnings;

use Cwd qw(abs_path);
use Exporter qw(import);
use File::Basename qw(dirname);
use IPC::Run ();
use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

our @EXPORT = qw($conn $dir $node $ssb $ssbload @tables %tbl all_empty
  empty_tables fingerprint load_ok make_tbl nrows refused slurp_pipe start_ssb
  write_tbl);

our $ssb = abs_path(dirname(__FILE__) . '/../../bench/ssb');
our $ssbload = $ENV{SSBLOAD} || "$ssb/ssbload";
our @tables = qw(lineorder customer supplier part date);
our ($node, $conn);

# The reference generator's files, once make_tbl() has written them.
our ($dir, %tbl);

# The test module gives every client a name, but ssbload must be found by the
# name that it sets itself.
delete $ENV{PGAPPNAME};

# A server with the tables, empty.
sub start_ssb
{
	-x $ssbload or die "$ssbload is missing: run make -C bench/ssb first";
	$node = PostgreSQL::Test::Cluster->new('ssb');
	$node->init;
	$node->append_conf('postgresql.conf', "fsync = off\n");
	$node->start;
	$conn = $node->connstr('postgres');
	$node->command_ok([ 'psql', '-Xq', '-v', 'ON_ERROR_STOP=1', '-d', $conn,
			'-f', "$ssb/schema.sql" ], 'schema.sql runs');
	return;
}

# The output of a command.
sub slurp_pipe
{
	my ($stdout, $stderr);
	my $ok = IPC::Run::run([ $ssbload, @_ ], '>', \$stdout, '2>', \$stderr);
	$ok or die "ssbload @_: $stderr";
	return $stdout;
}

# Runs ssbload, which must fail with exactly one matching line, and print
# nothing else.
sub refused
{
	my ($name, $args, $pattern) = @_;
	my ($stdout, $stderr) = ('', '');

	IPC::Run::run([ $ssbload, @$args ], '<', \undef, '>', \$stdout, '2>',
		\$stderr);
	isnt($? >> 8, 0, "$name: fails");
	is($stdout, '', "$name: prints nothing");
	like($stderr, qr/\Assbload: error: [^\n]*\n\z/, "$name: one message");
	like($stderr, $pattern, "$name: clear message");
	return;
}

sub nrows
{
	my ($table) = @_;
	return $node->safe_psql('postgres', "select count(*) from $table");
}

sub all_empty
{
	my ($name) = @_;

	is(join(' ', map { nrows($_) } @tables), '0 0 0 0 0',
		"$name: tables are empty");
	return;
}

sub empty_tables
{
	$node->safe_psql('postgres', 'truncate ' . join(', ', @tables));
	return;
}

# Contents of all tables regardless of the order of their rows.
sub fingerprint
{
	return join ' ', map {
		$node->safe_psql('postgres',
			"select md5(string_agg(t::text, E'\\n' order by t::text)) "
			  . "from $_ t")
	} @tables;
}

sub load_ok
{
	my ($name, @args) = @_;
	my ($stdout, $stderr) = ('', '');
	my $ok = IPC::Run::run([ $ssbload, @args, $conn ], '<', \undef, '>',
		\$stdout, '2>', \$stderr);

	ok($ok, "$name: loads") or diag $stderr;
	is($stdout, '', "$name: nothing on standard output");
	like($stderr, qr/^ssbload: loaded /m, "$name: says what was loaded");
	return;
}

sub write_tbl
{
	my ($file, $text) = @_;
	open my $fh, '>', "$dir/$file" or die "$dir/$file: $!";
	print $fh $text;
	close $fh or die "$dir/$file: $!";
	return;
}

# All tables as .tbl files in $dir; %tbl contains their texts.
sub make_tbl
{
	$dir = PostgreSQL::Test::Utils::tempdir();
	foreach my $table (@tables)
	{
		$tbl{$table} =
		  slurp_pipe('--scale', '0.01', '--table', $table, '--stdout', '--tbl');
		write_tbl("$table.tbl", $tbl{$table});
	}
	return;
}

1;
