# DaemonStatus.pm
#	Reads the status of a server's daemon.  It has 200 ms to answer, which
#	may be too short on a busy machine, so callers try again.
package DaemonStatus;

use strict;
use warnings;

use Exporter qw(import);
use Time::HiRes qw(usleep);

our @EXPORT = qw(daemon_says);

# Evaluates an expression over ssdpar.daemon_status(), once there is an answer;
# $sql runs a query and returns its output.
sub daemon_says
{
	my ($sql, $expression) = @_;

	foreach (1 .. 1800)
	{
		my $answer = $sql->("SELECT $expression FROM ssdpar.daemon_status()"
			  . ' WHERE pid IS NOT NULL');

		return $answer if $answer ne '';
		usleep(100_000);
	}
	die "the daemon did not come\n";
}

1;
