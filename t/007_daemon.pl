# 007_daemon.pl
#	ssdpard by itself, without a server: what it refuses, what it does with
#	clients, files and signals that do their worst.
# needs: root
# servers: one
#
# Root, for one case: a client of another user.  The cases are in test/daemon/,
# in Python; here their lines are counted.  Not about how fast it is, nor
# about the extension's side (t/008_prefetch.pl).

use strict;
use warnings;

use File::Temp qw(tempdir);
use FindBin;
use Test::More;

my $top = "$FindBin::Bin/..";
my $scratch = tempdir('ssdpard.XXXXXX', DIR => '/var/tmp', CLEANUP => 1);
chmod 0755, $scratch or die "cannot change $scratch: $!\n";
$ENV{PYTHONDONTWRITEBYTECODE} = 1;

foreach my $script ('malformed', 'behaviour', 'connections', 'load')
{
	my ($plan, $seen) = (-1, 0);

	open(my $lines, '-|', 'python3', "$top/test/daemon/$script.py",
		"$top/daemon/ssdpard", $scratch)
	  or die "cannot run $script.py: $!\n";
	while (my $line = <$lines>)
	{
		chomp $line;
		if ($line =~ /^(not )?ok \d+ - (.*)/)
		{
			ok(!$1, $2);
			$seen++;
		}
		elsif ($line =~ /^1\.\.(\d+)$/)
		{
			$plan = $1;
		}
		else
		{
			diag($line);
		}
	}
	ok(close($lines) && $seen == $plan, "$script.py ran to its end");
}

done_testing();
