#!/bin/bash
# tests/cc/driver.sh -- raddle-cc is clang to whoever calls it: questions, modes, inputs, own options, errors.
. "$(dirname "$0")/lib.sh"
echo 'int main(void) { return 0; }' > ok.c

# Questions are answered as clang answers them.
for question in -dumpmachine -dumpversion -print-search-dirs -print-libgcc-file-name -print-resource-dir "-print-file-name=libc.so" --help; do
	is "clang answers $question" "$("$cc" $question 2>&1)" "$(clang-19 $question 2>&1)"
done
is "--version begins as clang's" "$("$cc" --version | head -4)" "$(clang-19 --version)"
has "--version names raddle" "$("$cc" --version)" "raddle "
has "--version names the plugin" "$("$cc" --version)" "plugin $(sha256sum < "$build/lib/raddle-pass.so" | cut -c1-16)"
is "no input files" "$("$cc" 2>&1 | sed 's/^[^:]*://')" "$(clang-19 2>&1 | sed 's/^[^:]*://')"
"$cc" > /dev/null 2>&1
is "no input files, exit code" $? 1
is "-v alone" "$("$cc" -v 2>&1)" "$(clang-19 -v 2>&1)"
is "missing file" "$("$cc" -c nowhere.c 2>&1)" "$(clang-19 -c nowhere.c 2>&1)"

# Modes that make no code.
is "-E" "$("$cc" -E ok.c)" "$(clang-19 -E ok.c)"
is "-M" "$("$cc" -M ok.c)" "$(clang-19 -M ok.c)"
is "-E from standard input" "$(echo 'int x;' | "$cc" -E -xc -)" "$(echo 'int x;' | clang-19 -E -xc -)"
expect "-fsyntax-only" "$cc" -fsyntax-only -Werror ok.c
expect "-S" "$cc" -S -Werror ok.c -o ok.s
has "-S is instrumented" "$(cat ok.s)" raddle_sites
expect "-c -MD" "$cc" -c -MD -MF ok.d ok.c -Werror -Weverything -o ok.o
has "-MD writes rules" "$(cat ok.d)" ok.c
expect "link only, no warning" "$cc" -Werror ok.o -o ok
expect "linked program runs" ./ok
"$cc" -v ok.c -o ok > out 2>&1
has "-v shows clang's steps" "$(cat out)" "-cc1"

# Line tables without -g, with -g0, and not twice with -g.
"$cc" -c ok.c -o ok.o; expect "line tables without -g" sh -c 'objdump -h ok.o | grep -q debug_line'
"$cc" -g0 -c ok.c -o ok.o; expect "line tables with -g0" sh -c 'objdump -h ok.o | grep -q debug_line'
"$cc" -g -c ok.c -o ok.o --raddle-verbose 2> out
case $(cat out) in *-gline-tables-only*) fail "-g stays -g" "$(cat out)" ;; *) ok "-g stays -g" ;; esac
expect "-g describes variables" sh -c 'readelf --debug-dump=info ok.o 2>/dev/null | grep -q DW_TAG_subprogram'

# What is linked, and where.
"$cc" ok.c -o ok -lm -lpthread
is "the runtime comes first" "$(readelf -d ok | sed -n 's/.*NEEDED.*\[\(.*\)\]/\1/p' | head -1)" libraddle-rt.so
has "rpath" "$(readelf -d ok)" "[$build/lib]"
expect "--as-needed keeps it" sh -c "'$cc' -Wl,--as-needed ok.c -o ok && readelf -d ok | grep -q 'NEEDED.*libraddle-rt'"
expect "build id" sh -c "readelf -n ok | grep -q 'Build ID'"
expect "build id though the user says none" sh -c "'$cc' -Wl,--build-id=none ok.c -o ok && readelf -n ok | grep -q 'Build ID'"
echo 'void _start(void) { for (;;) ; }' > bare.c
expect "-nostdlib has no runtime" sh -c "'$cc' -nostdlib -static bare.c -o bare && ! objdump -h bare | grep -q raddle_sites"
expect "-ffreestanding is not instrumented" sh -c "'$cc' -ffreestanding -c bare.c && ! objdump -h bare.o | grep -q raddle_sites"
expect "-r has no runtime" sh -c "'$cc' -r ok.o bare.o -o both.o -nostdlib && ! nm both.o | grep -q raddle_ring"
expect "-nostdlib with -lc, as libtool links" sh -c \
	"'$cc' -shared -nostdlib -fPIC ok.c -lc -o ok.so && readelf -d ok.so | grep -q 'NEEDED.*libraddle-rt'"

# Inputs of other kinds.
printf '\t.globl answer\nanswer:\tmov $42, %%eax\n\tret\n\t.section .note.GNU-stack,"",@progbits\n' > answer.s
cp answer.s answer2.S
echo 'int answer(void); int main(void) { return answer() - 42; }' > ask.c
expect "assembler and C together" sh -c "'$cc' -Werror ask.c answer.s -o ask && ./ask"
expect "assembler alone, no warning" sh -c "'$cc' -Werror -c answer2.S -o a2.o && ! objdump -h a2.o | grep -q raddle_sites"
expect "-x and -x none" sh -c "cp ask.c ask.txt; '$cc' -x c ask.txt -x none a2.o -o ask && ./ask"
"$cc" -c ok.f90 > out 2>&1
is "Fortran: clang's own answer" "$(cat out)" "$(clang-19 -c ok.f90 2>&1)"
echo '-DVALUE="40 + 2" -O1 ok2.c' > args.rsp
echo 'int main(void) { return VALUE - 42; }' > ok2.c
expect "response file" sh -c "'$cc' @args.rsp -o ok2 && ./ok2"
echo '--raddle=sync -fconserve-stack @args.rsp' > outer.rsp
expect "nested response file, our options in it" sh -c "'$cc' --raddle-verbose @outer.rsp -o ok2 2>log && ./ok2"
has "level out of a response file" "$(cat log)" "RADDLE_LEVEL=sync"
expect "-- ends options" sh -c "'$cc' -c -o dash.o -- ok.c && objdump -h dash.o | grep -q raddle_sites"
is "missing response file" "$("$cc" @nowhere.rsp 2>&1 | head -1)" "$(clang-19 @nowhere.rsp 2>&1 | head -1)"
mkdir -p "a dir, with 'marks"
cp ok.c "a dir, with 'marks/my file.c"
expect "spaces in paths" sh -c "cd a*marks && '$cc' -I '. x' 'my file.c' -o 'my prog' && './my prog'"
ln -s "$cxx" elsewhere++
ln -s "$cc" elsewhere
echo 'int main() { auto f = [] { return 0; }; return f(); }' > l.cpp
expect "through a symbolic link" sh -c "./elsewhere ok.c -o ok && ./ok"
expect "C++ through a symbolic link" sh -c "./elsewhere++ l.cpp -o l -lm && ./l && readelf -d l | grep -q libstdc"

# Own options.
for option in $("$cc" --raddle-help | grep -oE '^  --raddle[a-z-]*' | sort -u); do
	expect "the manual has $option" grep -qF -- "$option" "$root/docs/man/raddle-cc.1"
done
has "--raddle-help" "$("$cc" --raddle-help)" "--raddle=<level>"
expect "--raddle-off is plain" sh -c "'$cc' --raddle-off ok.c -o ok && ! readelf -d ok | grep -q raddle && ! objdump -h ok | grep -q raddle"
"$cc" --raddle-off -O2 -c ok.c -o off.o; clang-19 -O2 -c ok.c -o plain.o
same "--raddle-off gives clang's object" off.o plain.o
has "--raddle=full" "$("$cc" --raddle=full --raddle-verbose -c ok.c 2>&1)" "RADDLE_LEVEL=full RADDLE_POINT=start"
"$cc" --raddle=fast -c ok.c 2> out; is "unknown level: exit code" $? 2
is "unknown level: words" "$(cat out)" "raddle-cc: unknown level 'fast' (it is 'sync', 'access' or 'full')"
"$cc" --raddle-loud -c ok.c 2> out; is "unknown option: words" "$? $(cat out)" "2 raddle-cc: unknown option '--raddle-loud' (see --raddle-help)"
RADDLE_LEVEL=sync "$cc" --raddle-verbose -c ok.c 2> out
has "the level is never taken from outside" "$(cat out)" "RADDLE_LEVEL=access RADDLE_POINT=last"
has "--raddle-source" "$("$cc" --raddle-source --raddle-verbose -c ok.c 2>&1)" "RADDLE_POINT=start"

# What cannot be done stops with its name and the way out.
has "-m32" "$("$cc" -m32 -c ok.c 2>&1)" "cannot instrument for '-m32'"
expect "-m32 with --raddle-off" "$cc" --raddle-off -m32 -c ok.c
has "-fsanitize=thread" "$("$cc" -fsanitize=undefined,thread -c ok.c 2>&1)" "cannot go with -fsanitize=thread"
expect "-fsanitize=undefined" sh -c "'$cc' -fsanitize=undefined ok.c -o ok && ./ok"
has "no clang" "$(RADDLE_CLANG=clang-nowhere "$cc" -c ok.c 2>&1)" "hint: install it"
mkdir alone && cp "$cc" alone/
has "no plugin" "$(alone/raddle-cc -c ok.c 2>&1)" "cannot find 'raddle-pass.so'"
expect "no plugin, --raddle-off" alone/raddle-cc --raddle-off -c ok.c
closing
