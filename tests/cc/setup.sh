#!/bin/bash
# tests/cc/setup.sh -- tools/setup.sh against a pretended package manager: root, sudo, nobody, nothing missing.
. "$(dirname "$0")/lib.sh"
mkdir bin
export STATE=$work/installed LOG=$work/calls RADDLE_STAMPS=$work/stamps
cat > bin/dpkg-query <<'X'
#!/bin/sh
for last; do :; done
grep -qx "$last" "$STATE" && printf installed
X
printf '#!/bin/sh\necho "$2 | 1 | somewhere"\n' > bin/apt-cache
cat > bin/apt-get <<'X'
#!/bin/sh
echo "apt-get $*" >> "$LOG"
[ "$1" = install ] && for word; do echo "$word" >> "$STATE"; done
exit 0
X
printf '#!/bin/sh\necho ${PRETEND_UID:-0}\n' > bin/id
printf '#!/bin/sh\n[ -n "${PRETEND_SUDO-}" ] || exit 1\nshift\necho "sudo $*" >> "$LOG"\nexec "$@"\n' > bin/sudo
chmod +x bin/*
setup() { PATH=$work/bin:$PATH "$root/tools/setup.sh" "$@" > out 2>&1; }
begin() { : > "$LOG"; : > "$STATE"; rm -rf "$work/stamps"; }

begin
setup demo; is "root: installs" "$?" 0
has "root: by apt-get" "$(cat "$LOG")" "apt-get install -y --no-install-recommends gcc"
has "root: clang is among it" "$(cat "$LOG")" " clang-19 "
: > "$LOG"
setup demo; is "nothing missing: exit code" "$?" 0
is "nothing missing: says nothing" "$(cat out)" ""
is "nothing missing: calls nothing" "$(cat "$LOG")" ""
begin
PRETEND_UID=1000 PRETEND_SUDO=1 setup demo; is "sudo: installs" "$?" 0
has "sudo: through it" "$(cat "$LOG")" "sudo apt-get install"
begin
PRETEND_UID=1000 setup demo; is "nobody: exit code" "$?" 1
has "nobody: the exact command" "$(cat out)" "apt-get update && apt-get install -y --no-install-recommends gcc"
is "nobody: nothing is called" "$(cat "$LOG")" ""

# Readers of reports are wanted, not needed: a machine that cannot have a browser is told so, and goes on.
printf '#!/bin/sh\necho "apt-get $*" >> "$LOG"\ncase "$*" in *chromium*) exit 1 ;; esac\nfor word; do echo "$word" >> "$STATE"; done\n' > bin/apt-get
begin
setup test; is "no browser to be had: exit code" "$?" 0
has "no browser to be had: said" "$(cat out)" "could not install chromium: tests that need it are skipped"
has "no browser to be had: the others are installed" "$(cat "$STATE")" "libxml2-utils"
is "no browser to be had: no other complaint" "$(grep -c "could not install" out)" 1
begin
setup check; is "make check needs no browser" "$(grep -c chromium "$LOG")" 0
setup nonsense; is "unknown target" "$?" 2

# A machine without clang and llvm-config: make still reads its files and gets as far as set-up.
mkdir few
for tool in make bash sh env dirname nproc find mkdir rm cat sed grep sort cut stat id true; do ln -s "$(command -v $tool)" few/; done
PATH=$work/few make -C "$root" -pq B="$work/none" .no-such-target > out 2> err
is "make reads its files without LLVM" "$(grep -c '^check:' out) $(grep -v 'No rule to make target' err)" "1 "
closing
