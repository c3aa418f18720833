#!/bin/bash
# tests/report/coverage.sh -- the page of a campaign in a real browser: bars and their intervals, source lines, the picture, the table, light and dark.
# What it should be follows from tests/report/faults.c: in shop, fault i has outcome i mod 8 and line 10 + i mod 5, odd ones are BitFlip; in till all are silent.
cd "$(dirname "$0")/../.." || exit 1
me=tests/report/coverage.sh
. tests/report/look.bash
probe=tests/report/coverage.js
faults() { "$build/tests/faults" "$@"; }

# 200 BitFlips in shop with outcomes 1, 3, 5, 7: 150 deviate.  200 CallCorrs with 0, 2, 4, 6: 150.  80 of 80 in till.
two() {
	fact "$1" scheme "$2"
	fact "$1" programs shop,till
	fact "$1" bars 'BitFlip=75.0 % [68.6, 80.5];CallCorr=75.0 % [68.6, 80.5];BitFlip=100.0 % [95.4, 100.0]'
	fact "$1" tiles '480faults,50deadlock,50hang,50crash,50detected,130silent corruption,50latent,50masked,50not activated'
	fact "$1" warned '100 of the list have no outcome.'
	fact "$1" uneven 0
	fact "$1" misplaced 0
	fact "$1" heat '10:80:0.500 11:80:0.500 12:80:0.500 13:80:0.500 14:80:0.500 7:80:1.000'
	fact "$1" code "$3"
	fact "$1" wide no
	fact "$1" strangers 0
	fact "$1" boxes 6
	fact "$1" arrows 6,3
	fact "$1" on-another 0
	fact "$1" outside 0
	fact "$1" lines-apart 0
	fact "$1" readable yes
	fact "$1" rows 200
	fact "$1" shown '480 of 480'
	fact "$1" columns 'id,program,fault,site,source,outcome,reason,first deviation,after,found out after,in µs,exit,ms,again'
	fact "$1" again 'raddle campaign --repeat=1 x.ini'
	fact "$1" seller '40 of 480'
	fact "$1" nobody '0 of 480'
	fact "$1" everybody '480 of 480'
	fact "$1" without-silent '350 of 480'
	fact "$1" second-type 'CallCorr 200 of 480'
	fact "$1" of-a-line "80 of 480, of $4:10"
	fact "$1" all-again '480 of 480'
	fact "$1" heat-silent 0.125
	fact "$1" last-first 400
	fact "$1" links none
	fact "$1" more-rows 400
}
# Of shop.c the five lines from 10 on have text or are empty; till.c is not there.
lines=$(sed -n 10,14p tests/report/shop.c | grep -c '[^[:space:]]')
page "two, light" 1 1400 $probe faults tests/report/; two "two, light" light "$lines" tests/report/shop.c
page "two, dark, narrow" 0 560 $probe faults tests/report/; two "two, dark, narrow" dark "$lines" tests/report/shop.c

page hostile 1 1400 $probe faults hostile '</script><img src=x onerror="document.title=1"><b>&amp;'
fact hostile shown '1 of 1'
fact hostile strangers 0
fact hostile bold 0
fact hostile outside 0
fact hostile links good
page "bytes that are no text" 1 1400 $probe faults hostile $'\xff\xfe\x01<!--\n]]>\xc3'
fact "bytes that are no text" shown '1 of 1'
fact "bytes that are no text" strangers 0

page many 1 1400 $probe faults many 50000
fact many shown '50000 of 50000'
fact many rows 200
fact many wide no

asks_nothing faults tests/report/
echo "$passed passed, $failed failed"
[ $failed = 0 ]
