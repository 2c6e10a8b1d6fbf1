# 011_probe_no_space.pl
#	ssdpar-probe on a file system without room for its scratch file: there
#	is room for a smaller one, or for none.
#
# needs: root
# servers: one
#
# It needs root to mount a file system.

use strict;
use warnings;

use File::Temp qw(tempdir);
use IPC::Run;
use Test::More;

my $dir = tempdir(CLEANUP => 1);
my ($image, $mount) = ("$dir/image", "$dir/mount");
mkdir $mount or die "mkdir $mount: $!";

plan skip_all => 'no loop device to mount here'
  if system("truncate -s 24M $image && mkfs.ext4 -q $image && "
	  . "mount -o loop $image $mount 2>/dev/null") != 0;

END
{
	my $status = $?;
	system("umount $mount 2>/dev/null") if defined $mount;
	$? = $status;
}

my $said = `ssdpar-probe --file-size 64MB $mount 2>&1 >/dev/null`;
is($? >> 8, 1, 'it refuses');
like($said, qr/too little free space in .*: need 68 MB, have \d+ MB/,
	'it says what it needs and what there is');
# The notice that such a small file proves little is not one of the three
# lines.
is(scalar(grep { /^(?:ssdpar-probe|DETAIL|HINT):/ && !/has only/ } split /\n/, $said), 3,
	'one message with detail and hint');
$said = `ssdpar-probe $mount 2>&1 >/dev/null`;
like($said, qr/^ssdpar-probe: too little free space in .*: need 128 MB, have \d+ MB$/m,
	'of the usual size it needs 64 MB, and leaves as much to others');
$said = `ssdpar-probe --inside --file-size 64MB $mount 2>&1 >/dev/null`;
is($? >> 8, 1, '--inside refuses');
like($said, qr/^ssdpar-probe: too little free space in .*\nDETAIL: .*\nHINT: .*\n$/,
	'--inside: one message with detail and hint');
system("mount -o remount,ro $mount");
$said = `ssdpar-probe --inside --file-size 16MB $mount 2>&1 >/dev/null`;
is($? >> 8, 1, '--inside refuses what is read-only');
like($said, qr/^ssdpar-probe: cannot use directory .*: Read-only file system\nDETAIL: .*\nHINT: .*\n$/,
	'--inside: one message with detail and hint');
is(`ls -A $mount | grep -v lost+found`, '', 'nothing is left');
is(system("umount $mount"), 0, 'the file system is free');

#
# Room for a smaller one.
#
system("truncate -s 256M $image && mkfs.ext4 -q -m 0 -F $image && "
	  . "mount -o loop $image $mount") == 0 or die 'mount';
my $json = "--json --seconds 0.3 --sizes 8 --depths 1,4 $mount 2>$dir/said";

sub falls_back
{
	my ($what, $program) = @_;

	like(`$program $json`, qr/"file_size": 134217728,/,
		"$what: a smaller file");
	like(slurp("$dir/said"),
		qr/^ssdpar-probe: the scratch file has only 128 MB, as there is no room for 1024 MB: /,
		"$what: which it says");
	return;
}

sub slurp
{
	my ($name) = @_;

	open(my $in, '<', $name) or die "$name: $!";
	return do { local $/; <$in> };
}

falls_back('a full file system', 'ssdpar-probe');

# Free space does not show a quota.
is(system("cc -shared -fPIC -o $dir/quota.so test/hidden_quota.c"),
	0, 'a quota is hidden');
falls_back('a quota', "LD_PRELOAD=$dir/quota.so ssdpar-probe");
is(system("fallocate -l 200M $mount/full"), 0, 'a quota is used up');
$said = `LD_PRELOAD=$dir/quota.so ssdpar-probe $mount 2>&1 >/dev/null`;
is($? >> 8, 1, 'a quota: there is a least size');
like($said, qr/^ssdpar-probe: no space left for the scratch file in .*\nDETAIL: .* 64 MB, .*\nHINT: .*\n$/,
	'a quota: one message with detail and hint');
unlink("$mount/full") or die "$mount/full: $!";
is(`ls -A $mount | grep -v lost+found`, '', 'nothing is left');

#
# Others write meanwhile, until less is free than was left to them.
#
sub free_mb
{
	return (split ' ', `stat -f -c '%a %S' $mount`)[0] *
	  (split ' ', `stat -f -c '%a %S' $mount`)[1] / 2**20;
}

foreach my $kind ('', '--inside ')
{
	my $probe = IPC::Run::start(
		[
			'sh', '-c',
			"exec ssdpar-probe $kind--seconds 30 --file-size 128MB $mount"
		],
		'>', '/dev/null', '2>', "$dir/said");
	my $tries = 1800;

	select(undef, undef, undef, 0.1)
	  while -e "$dir/said" && slurp("$dir/said") !~ /measuring|comparing/ && --$tries > 0;
	my $take = int(free_mb()) - 4;
	is(system("fallocate -l ${take}M $mount/full"), 0, "${kind}others write");
	$probe->finish;
	is($probe->result(0), 1, "${kind}it ends");
	like(slurp("$dir/said"),
		qr/^ssdpar-probe: others need the free space in "$mount": [0-9] MB were left of 8 MB\nDETAIL: The scratch file of 128 MB is gone, .*\nHINT: .*\n\z/m,
		"${kind}with one message");
	cmp_ok(free_mb(), '>', 100, "${kind}and its space is theirs");
	unlink("$mount/full") or die "$mount/full: $!";
}
is(system("umount $mount"), 0, 'the file system is free');

done_testing();
