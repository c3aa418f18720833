#!/usr/bin/perl
# tests/certify/altered.pl -- alters a certificate in one way after the other, and says which of them still hold.
#   altered.pl [--one-in=<n>] <certificate> -- <program>
# Of each node every number is made another one, its word each of two others, every flag is turned; nodes, classes, bytes of memory and threads are
# left out; classes are given twice, their ends and witnesses are others.  What nobody goes by may be altered: `written` of what is no update, object, value and `told` of
# memory only one thread uses, the number of points if there are some, an end's or exit's child, sizes of blocks.  Prints "<altered> <refused>" and every other that held.
use strict; use warnings; no warnings 'portable';
my $one_in = 1;
if ($ARGV[0] =~ /^--one-in=(\d+)$/) { $one_in = $1; shift; }
my $turn = 0;
my ($file, @program) = @ARGV; shift @program if $program[0] eq '--';
open my $in, '<', $file or die; my @lines = <$in>; close $in;
my ($altered, $refused) = (0, 0);
my (%shared, @nodes);
for (@lines) {
	push @nodes, [split] if /^node/;
	if (/^memory (\S+) (\S+)/) { my $at = hex $1; $shared{$at + $_} = 1 for 0 .. length($2) / 2 - 1; }
}

sub try {
	my ($what, @text) = @_;
	return if $turn++ % $one_in;
	open my $out, '>', "$file.altered" or die; print $out @text; close $out;
	my $said = qx(raddle verify-certificate --all $file.altered -- @program 2>&1);
	my $code = $? >> 8;
	$altered++;
	if ($? & 127 || ($code != 1 && $code != 3 && $code != 4)) { print "held ($code): $what\n$said"; } else { $refused++; }
}

sub with { my ($at, $line) = @_; my @copy = @lines; $copy[$at] = $line; return @copy; }
sub without { my ($at) = @_; my @copy = @lines; splice @copy, $at, 1; return @copy; }
sub fewer { my ($by, @copy) = @_; $copy[-1] =~ s/(\d+)/$1 + $by/e; return @copy; }

for my $at (0 .. $#lines) {
	my $line = $lines[$at];
	my @f = split ' ', $line;
	if ($f[0] eq 'class') {
		try("class left out: $line", fewer(-1, without($at)));
		try("class twice: $line", fewer(1, @lines[0 .. $at], @lines[$at .. $#lines]));
		my ($other) = grep { /^class/ && $_ ne $line } @lines;
		if ($other) {
			$other =~ s/.* by/by/s;
			(my $stranger = $line) =~ s/by.*\n/$other/;
			try("another's witness: $line", with($at, $stranger));
		}
		(my $spins = $line) =~ s/ends/spins/;
		try("spins: $line", with($at, $spins)) if $spins ne $line;
		for my $i (2 .. $#f) {
			last if $f[$i] eq 'by';
			my @g = @f; $g[$i] = $g[$i] eq '-' ? 0 : $g[$i] + 1;
			try("end $i: $line", with($at, "@g\n"));
		}
	} elsif ($f[0] eq 'node') {
		my $alone = $f[6] =~ /^(read|write|update)$/ && !$shared{hex $f[8]};
		my $up = $f[2] eq '-' ? undef : $nodes[$f[2]];
		my $up_alone = $up && $up->[6] =~ /^(read|write|update)$/ && !$shared{hex $up->[8]};
		my $leaf = $f[6] eq 'unknown';
		for my $i (1 .. 11) {
			next if $i == 2 && $f[2] eq '-' && $f[1] == 0;
			next if $leaf && $i >= 5;                              # nobody comes here
			next if $i == 3 && (!$up || $up_alone);
			next if $i == 4 && (!$up || $up->[6] ne 'update' || $up_alone);
			next if ($i == 8 || $i == 9 || $i == 10 || $i == 11) && $f[6] eq 'back' && $i != 11;
			next if $i == 5 && ($f[5] != 0 && $f[6] ne 'back') || ($i == 5 && $f[6] =~ /back|leave|join|wake/);
			next if $alone && $i >= 8 && $i <= 10;
			my @g = @f;
			if ($i == 6) {
				for my $word (grep { $_ ne $f[6] } qw(unlock end)) { $g[6] = $word; try("word $word: $line", with($at, "@g\n")); }
				next;
			}
			$g[$i] = $i == 2 ? ($f[2] eq '-' ? 0 : '-') : $i == 1 ? ($f[1] ? 0 : 1) : $i == 3 || $i == 4 || $i >= 8 && $i <= 10 ? sprintf('%x', hex($f[$i]) + 1) : $f[$i] + 1;
			try("field $i: $line", with($at, "@g\n"));
		}
		if ($f[5] != 0 && $f[6] !~ /back|leave|join|wake/) { my @g = @f; $g[5] = 0; try("no points: $line", with($at, "@g\n")); }
		for my $flag ($leaf || $f[6] eq 'back' ? () : split //, 'pwrRStT') {
			my @g = @f;
			$g[12] = '' if $g[12] eq '-';
			$g[12] =~ s/$flag// or $g[12] .= $flag;
			$g[12] = '-' if $g[12] eq '';
			try("flag $flag: $line", with($at, "@g\n"));
		}
		try("node left out: $line", without($at));
	} elsif ($f[0] eq 'memory') {
		try("memory left out: $line", without($at));
		my @g = @f; $g[2] =~ s/^../01/; $g[2] =~ s/^../00/ if $f[2] =~ /^01/;
		try("first byte: $line", with($at, "@g\n"));
	} elsif ($f[0] eq 'block' || $f[0] eq 'trust') {
	} else {
		try("line left out: $line", without($at));
	}
}
unlink "$file.altered";
print $altered > 20 && $altered == $refused ? "all refused\n" : "$altered altered, $refused refused\n";
exit($altered == $refused ? 0 : 1);
