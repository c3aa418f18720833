#!/bin/bash
# tests/cc/configure.sh -- CC=raddle-cc ./configure && make: the checks come out as they do with clang, the program works.
. "$(dirname "$0")/lib.sh"
mkdir "a project" && cd "a project"
cp "$src/work.c" "$src/work.cpp" .
cat > configure.ac <<'X'
AC_INIT([weave], [1.0])
AC_CONFIG_SRCDIR([work.c])
AC_CONFIG_HEADERS([config.h])
AC_PROG_CC
AC_PROG_CXX
AC_PROG_CPP
AC_C_BIGENDIAN
AC_C_INLINE
AC_C_CONST
AC_TYPE_SIZE_T
AC_CHECK_SIZEOF([long])
AC_CHECK_HEADERS([pthread.h threads.h windows.h])
AC_SEARCH_LIBS([pthread_create], [pthread])
AC_CHECK_LIB([m], [cos])
AC_CHECK_LIB([nowhere], [nothing])
AC_CHECK_FUNCS([malloc realloc strlcpy_s nanosleep clock_gettime pthread_setname_np])
AC_CONFIG_FILES([Makefile])
AC_OUTPUT
X
printf '%s\n' 'all: weave weavepp' 'weave: work.o' '	@CC@ @CFLAGS@ work.o -o $@ @LIBS@' 'weavepp: work.cpp' \
	'	@CXX@ -std=c++17 @CXXFLAGS@ work.cpp -o $@ @LIBS@' 'work.o: work.c' '	@CC@ @CFLAGS@ -c work.c' > Makefile.in
if ! command -v autoconf > /dev/null; then
	skip "configure" "autoconf is not installed"
	closing
	exit
fi
autoconf > log 2>&1 && autoheader >> log 2>&1 || fail "autoconf" "$(tail -3 log)"
mkdir plain seen
(cd plain && CC=clang-19 CXX=clang++-19 ../configure > log 2>&1 && make -s VPATH=.. > log2 2>&1)
expect "configure" sh -c "cd seen && CC='$cc' CXX='$cxx' ../configure > log 2>&1"
cp work.c work.cpp seen
expect "make" make -s -C seen
same "the same answers" plain/config.h seen/config.h
is "the same words" "$(sed -n 's/^checking //p' seen/log | sed "s|$build/||g; s/raddle-cc/clang-19/g; s/raddle-c++/clang++-19/g")" \
	"$(sed -n 's/^checking //p' plain/log)"
expect "program is instrumented" instrumented seen/weave
clang-19 -O2 -pthread work.c -o want && { ./want; echo $?; } > want.out
{ seen/weave; echo $?; } > got.out 2>&1
same "program works" got.out want.out
closing
