#!/bin/bash
# tests/cc/install.sh -- make install PREFIX=..., then everything from there, with the build tree out of sight.
. "$(dirname "$0")/lib.sh"
prefix="$work/a prefix"
expect "make install" make -s -C "$root" do-install PREFIX="$work/plain" B="$build"
mv "$work/plain" "$prefix"          # nothing may remember where it was installed
cp "$src/work.c" "$src/work.cpp" .
clang-19 -pthread work.c -o plain && { ./plain; echo $?; } > want.c
clang++-19 -pthread -std=c++17 work.cpp -o plain && { ./plain; echo $?; } > want.cpp
expect "installed raddle-cc" "$prefix/bin/raddle-cc" -pthread -O1 work.c -o c
{ ./c; echo $?; } > out 2>&1; same "its program" out want.c
expect "installed raddle-c++" "$prefix/bin/raddle-c++" -pthread -std=c++17 -O1 work.cpp -o cpp
{ ./cpp; echo $?; } > out 2>&1; same "its C++ program" out want.cpp
has "it uses the installed runtime" "$(readelf -d c)" "[$prefix/lib/raddle]"
expect "static" "$prefix/bin/raddle-cc" -pthread -static work.c -o c
{ ./c; echo $?; } > out 2>&1; same "its static program" out want.c
expect "found by PATH" env PATH="$prefix/bin:$PATH" raddle-cc -c work.c
if [ -x "$prefix/bin/raddle" ]; then
	"$prefix/bin/raddle" record -o run.trace -- ./c > out 2>/dev/null; echo $? >> out
	same "installed raddle records it" out want.c
fi
closing
