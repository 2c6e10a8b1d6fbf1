# 030_documents.pl
#	The documents are correct: every snippet for readers runs and prints
#	the output shown, every message, setting, function and option is in the
#	reference, and no link is broken.
#
# The programs in test/documents/ do the comparisons.

use strict;
use warnings;

use PostgreSQL::Test::Cluster;
use PostgreSQL::Test::Utils;
use Test::More;

# A socket's path is limited to 107 bytes, but that of a data directory is not.
my $socket = PostgreSQL::Test::Utils::tempdir_short() . '/ssdpard.sock';

my $node = PostgreSQL::Test::Cluster->new('documents');
$node->init(extra => [ '-U', 'postgres' ]);
$node->append_conf('postgresql.conf', <<"END");
shared_preload_libraries = 'ssdpar'
ssdpar.daemon_socket = '$socket'
autovacuum = off
max_parallel_workers = 8
END
$node->start;

$ENV{PGHOST} = $node->host;
$ENV{PGPORT} = $node->port;
$ENV{PGUSER} = 'postgres';
$ENV{PYTHONDONTWRITEBYTECODE} = 1;

# A program prints "ok NAME" or "not ok NAME", and details in lines with "#".
sub run_checks
{
	my ($program) = @_;
	my $checks = 0;

	open(my $lines, '-|', "python3 test/documents/$program.py 2>&1")
	  or die "cannot run $program.py: $!\n";
	while (my $line = <$lines>)
	{
		chomp $line;
		if ($line =~ /^ok (.*) # skip$/)
		{
		  SKIP: { skip $1, 1; }
		}
		elsif ($line =~ /^(not )?ok (.*)/)
		{
			ok(!$1, $2);
		}
		else
		{
			diag($line);
			next;
		}
		$checks++;
	}
	my $good = close($lines);
	cmp_ok($checks, '>', 0, "$program.py has checked something");
	ok($good, "$program.py is content");
	return;
}

run_checks($_) foreach qw(snippets messages reference links);
is(system('python3', 'docs/results/power_chart.py', '--check'),
	0, 'the chart is what its raw numbers give');

$node->stop;
done_testing();
