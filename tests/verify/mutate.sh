#!/bin/bash
# tests/verify/mutate.sh -- one altered value must be found.
#   mutate.sh <text twin> <times> [<seed>]          needs perl
# Picks reads and writes at random: a read that returns what the last recorded write of the same bytes wrote, or that write;
# gives it another value; raddle info --verify must exit 1.  Prints how many were found, and each that was not.
set -u
twin=$1 times=$2 seed=${3:-1}
room=$(mktemp -d) || exit 1
trap 'rm -rf "$room"' EXIT

# Lines "reader-line writer-line": a read and the one write all its bytes come from.  On a stack only writes since the reading
# function was entered count: what was there before may be anybody's.
perl -e '
	my (%byte, @value, @stacks, %frames);
	while (<>) {
		my ($thread, $kind, $object) = split;
		next if !defined $kind || $thread =~ /:$|^#/;
		my ($address) = defined $object && $object =~ /(0x[0-9a-f]+)$/ ? hex $1 : 0;
		my ($size) = / size=(\S+)/ ? $1 : 4;
		my $length = / len=(\S+)/ ? $1 : 0;
		$length = hex $length if $length =~ /^0x/;
		if ($kind eq "enter") { push @{$frames{$thread}}, $. }
		elsif ($kind eq "leave") { pop @{$frames{$thread}} }
		elsif ($kind eq "landed" && / arg=(\d+)/ && $1 < @{$frames{$thread}}) { $#{$frames{$thread}} = $1 - 1 }
		elsif ($kind eq "stack") { push @stacks, [$address, $address + $length] }
		elsif ($kind eq "w" && / value=(\S+)/) { $value[$.] = $1; $byte{$address + $_} = [$., $thread, $size] for 0 .. $size - 1 }
		elsif ($kind =~ /^(libwrite|copy|input|alloc|realloc|free)$/) { delete $byte{$address + $_} for 0 .. ($length > 65536 ? 65536 : $length) }
		elsif ($kind =~ /^(rmw|astore|cas)$/) { delete $byte{$address + $_} for 0 .. 15 }
		elsif ($kind eq "r" && / value=(\S+)/) {
			my ($read, $from) = ($1, $byte{$address});
			next if !$from || $from->[2] != $size || $value[$from->[0]] ne $read;
			next if grep { my $b = $byte{$address + $_}; !$b || $b->[0] != $from->[0] } 1 .. $size - 1;
			my $on_stack = grep { $address >= $_->[0] && $address < $_->[1] } @stacks;
			my $frames = $frames{$thread};
			next if $on_stack && ($from->[1] ne $thread || !$frames || !@$frames || $from->[0] < $frames->[-1]);
			print "$. $from->[0]\n";
		}
	}' "$twin" > "$room/pairs"
pairs=$(wc -l < "$room/pairs")
[ "$pairs" -gt 0 ] || { echo "no read is explained by a write"; exit 1; }

found=0 missed=0
RANDOM=$seed
for ((i = 0; i < times; i++)); do
	pick=$(((RANDOM * 32768 + RANDOM) % pairs + 1))
	read -r reader writer < <(sed -n "${pick}p" "$room/pairs")
	line=$reader
	[ $((RANDOM % 3)) = 0 ] && line=$writer
	awk -v at="$line" 'NR == at {
		for (i = 3; i <= NF; i++) if (index($i, "value=") == 1) {
			n = substr($i, 7)
			last = substr(n, length(n))
			other = last == "7" ? "4" : "7"
			$i = "value=" substr(n, 1, length(n) - 1) other
		} } { print }' "$twin" > "$room/altered"
	raddle info --verify "$room/altered" > "$room/said" 2>&1
	code=$?
	[ $code -lt 126 ] || { echo "raddle cannot be run"; exit 1; }
	if [ $code = 1 ]; then
		found=$((found + 1))
	else
		missed=$((missed + 1))
		echo "missed (exit $code): line $line: $(sed -n "${line}p" "$twin" | cut -c1-150)"
	fi
done
echo "found $found of $times"
[ $missed = 0 ]
