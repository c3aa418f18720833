#!/bin/bash
# tools/setup.sh -- installs what building and testing raddle needs, by Debian package names (12 and 13).
#   tools/setup.sh [demo|check|test|bench|soak|install|check-real]
# As root or through sudo without a password; otherwise prints the exact command and exits 1.
# Says nothing when nothing is missing; a stamp in build/ makes that instant until the list or dpkg's state changes.
set -u
cd "$(dirname "$0")/.." || exit 1

base="gcc libc6-dev make clang-19 llvm-19-dev libzstd-dev libxxhash-dev libdw-dev libelf-dev libiberty-dev libcadical-dev libsqlite3-dev libsodium-dev libpq-dev"
run="libstdc++-12-dev|libstdc++-14-dev lld-19"
test="g++ gdb libgtest-dev catch2 doctest-dev libcmocka-dev libz3-dev libclang-rt-19-dev ccache cmake autoconf binutils"
# What other people's readers make of our reports, a server several machines share; without them those tests are skipped, with the reason.
readers="chromium libxml2-utils jq postgresql sqlite3 mandoc"
wanted=
case "${1-build}" in
build|demo|install) list="$base $run" ;;
bench)              list="$base $run libclang-rt-19-dev" ;;
check)              list="$base $run $test" ;;
test|soak)          list="$base $run $test" wanted=$readers ;;
check-real)         list="$base $run $test dpkg-dev debhelper fakeroot curl" ;;
*)                  echo "setup.sh: unknown target '$1'" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null; then
	for tool in gcc clang-19 llvm-config-19 ld.lld; do
		command -v "$tool" >/dev/null || { echo "raddle: '$tool' is missing (on Debian: apt-get install $list)" >&2; exit 1; }
	done
	exit 0
fi

stamp=${RADDLE_STAMPS:-build}/.setup-${1-build}
key="$list $wanted $(stat -c %Y-%s /var/lib/dpkg/status 2>/dev/null)"
[ -r "$stamp" ] && [ "$(cat "$stamp")" = "$key" ] && exit 0

installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }
known() { [ -n "$(apt-cache madison "$1" 2>/dev/null)" ]; }

# Of alternatives a|b any will do; what is installed is the first this release has.
missing_of() {
	local entry name found first
	for entry in $1; do
		found='' first=''
		for name in ${entry//|/ }; do
			installed "$name" && { found=1; break; }
			[ -z "$first" ] && known "$name" && first=$name
		done
		[ -n "$found" ] || printf ' %s' "${first:-${entry%%|*}}"
	done
}
missing=$(missing_of "$list")
unread=$(missing_of "$wanted")

if [ -n "$missing" ]; then
	install="apt-get install -y --no-install-recommends$missing"
	if [ "$(id -u)" = 0 ]; then
		as=
	elif command -v sudo >/dev/null && sudo -n true 2>/dev/null; then
		as="sudo -n"
	else
		echo "raddle: some packages are missing; as root, run:" >&2
		echo "  apt-get update && $install" >&2
		exit 1
	fi
	echo "raddle: installing$missing" >&2
	export DEBIAN_FRONTEND=noninteractive
	if ! $as $install >/dev/null 2>&1; then
		$as apt-get update >/dev/null 2>&1
		if ! $as $install >&2; then
			echo "raddle: could not install them; as root, run:" >&2
			echo "  apt-get update && $install" >&2
			exit 1
		fi
	fi
fi

if [ -n "$unread" ] && { [ "$(id -u)" = 0 ] || sudo -n true 2>/dev/null; }; then
	as=$([ "$(id -u)" = 0 ] || echo "sudo -n")
	echo "raddle: installing$unread, for tests of reports and of a shared database" >&2
	export DEBIAN_FRONTEND=noninteractive
	get="apt-get -o Acquire::http::Timeout=20 -o Acquire::Retries=1"
	if ! $as $get install -y --no-install-recommends $unread > /dev/null 2>&1; then
		$as $get update > /dev/null 2>&1
		for name in $unread; do
			$as $get install -y --no-install-recommends "$name" > /dev/null 2>&1 ||
				echo "raddle: could not install $name: tests that need it are skipped" >&2
		done
	fi
fi
key="$list $wanted $(stat -c %Y-%s /var/lib/dpkg/status 2>/dev/null)"
mkdir -p "${stamp%/*}" 2>/dev/null && echo "$key" > "$stamp" 2>/dev/null
exit 0
