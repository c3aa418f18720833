#!/bin/bash
# tests/report/browser.sh -- the page in a real browser: what it shows, filters, links and colours, light and dark, wide and narrow.
# probe.js says what the browser made of the page; what it should be follows from tests/report/sample.c.
cd "$(dirname "$0")/../.." || exit 1
me=tests/report/browser.sh
. tests/report/look.bash
probe=tests/report/probe.js
reports() { "$build/tests/reports" html "$@"; }

# Eight findings, one of each kind.  The race: T_0 does two steps, T_0_1 three with a lock, T_0_2 one; the last two are the bug.
eight() {
	fact "$1" scheme "$2"
	fact "$1" findings 8
	fact "$1" open 1
	fact "$1" shown "8 of 8"
	fact "$1" wide no
	fact "$1" strangers 0
	fact "$1" lanes step,T_0,T_0_1,T_0_2
	fact "$1" steps '1,1,2,2,2!,3!'
	fact "$1" held 0,0,1,1,1,1
	fact "$1" marked 16,22
	fact "$1" loose 0
	fact "$1" readable yes
	fact "$1" deadlock 1
	fact "$1" two-words 1
	fact "$1" nobody 0
	fact "$1" everybody 8
	fact "$1" without-race 7
	fact "$1" without-confirmed 4
	fact "$1" closed 0
}
page "eight, light" 1 1500 $probe reports 8 tests/report/; eight "eight, light" light
page "eight, dark, narrow" 0 520 $probe reports 8 tests/report/; eight "eight, dark, narrow" dark

page many 1 1500 $probe reports 200 tests/report/
fact many findings 200
fact many shown "200 of 200"
fact many deadlock 25
fact many without-race 175
fact many without-confirmed 100
fact many loose 0
fact many wide no

page none 1 1500 $probe reports 0
fact none findings 0
fact none shown none
fact none readable yes

page hostile 1 1500 $probe reports hostile '</script><img src=x onerror="document.title=1"><b>&amp;'
fact hostile findings 1
fact hostile strangers 0
fact hostile bold 0

asks_nothing reports 8 tests/report/
echo "$passed passed, $failed failed"
[ $failed = 0 ]
