# tests/run/apart.sh -- for tests about files of a run that are its own: skipped where nobody can have a mount namespace of his own, as in a
# chroot whose root is no mount.  Asked without raddle.
unshare --mount true 2> /dev/null || unshare --map-root-user --mount true 2> /dev/null || {
	echo "files of runs cannot be kept apart here: $(unshare --mount true 2>&1 | head -1)"
	exit 77
}
