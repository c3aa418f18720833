#!/bin/bash
# tests/cc/gcc-flags.sh -- flags only gcc has: left out with one note, and only those clang really does not have.
. "$(dirname "$0")/lib.sh"
echo 'int main(void) { return 0; }' > ok.c

is "one note names them" "$("$cc" -fconserve-stack -O2 -fno-tree-ter --param max-inline-insns-single=9 -c ok.c 2>&1)" \
	"raddle-cc: note: flags of gcc that clang does not have are left out: -fconserve-stack -fno-tree-ter --param max-inline-insns-single=9"
is "no note when preprocessing" "$("$cc" -fconserve-stack -E ok.c 2>&1 >/dev/null)" ""
expect "-Werror with warnings only gcc has" \
	"$cc" -Werror -Wno-maybe-uninitialized -Wlogical-op -Wduplicated-cond -Wformat-truncation=2 -Werror=stringop-overflow -c ok.c
expect "a distribution's flags" "$cc" -O2 -Werror -g -fstack-protector-strong -Wformat -Werror=format-security -Wdate-time \
	-D_FORTIFY_SOURCE=2 -flto=auto -ffat-lto-objects -fno-omit-frame-pointer -fcf-protection -fstack-clash-protection \
	-specs=/usr/share/dpkg/no-pie-compile.specs -fno-semantic-interposition -Wl,-z,relro -c ok.c -o /dev/null -Wno-unused-command-line-argument

printf '#include <cinttypes>\n#include <cstdio>\nint main() { printf("%%"PRIu64"\\n", (uint64_t)7); }\n' > suffix.cpp
expect "a macro right behind a string, as gcc takes it" "$cxx" -w -Werror suffix.cpp -o suffix

# Each of them, tried on clang itself: refused, or warned about.
"$cc" --raddle-dropped > flags
grep -vE '^--?(param|specs)=' flags > hard
clang-19 -### -c -x c++ $(cat hard) ok.c 2>&1 |
	grep -oE "(unknown argument:? '|optimization flag '|unsupported option ')[^']*" | sed "s/.*'//" | sort -u > refused
sort -u hard | comm -23 - refused > known
is "clang refuses every flag of the table" "$(tr '\n' ' ' < known)" ""
for flag in --param=max-unroll-times=1 -specs=x.specs; do
	has "clang warns about $flag" "$(clang-19 -c "$flag" ok.c 2>&1)" "unused"
done
expect "raddle-cc takes them all at once" "$cc" -Werror $(cat flags) -c ok.c
closing
