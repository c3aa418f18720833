#!/bin/bash
# tests/cc/cmake.sh -- a CMake project with a library of each kind, found, built, tested and installed with raddle-cc.
. "$(dirname "$0")/lib.sh"
if ! command -v cmake > /dev/null; then
	skip "cmake" "cmake is not installed"
	closing
	exit
fi
mkdir "the project" && cd "the project"
cp "$src/part.c" "$src/parts.c" "$src/work.cpp" .
cat > CMakeLists.txt <<'X'
cmake_minimum_required(VERSION 3.18)
project(weave C CXX)
include(CheckCCompilerFlag)
include(CheckIPOSupported)
set(CMAKE_CXX_STANDARD 17)
find_package(Threads REQUIRED)
check_c_compiler_flag(-fno-such-flag-anywhere HAVE_NO_SUCH_FLAG)
check_c_compiler_flag(-Wall HAVE_WALL)
if(HAVE_NO_SUCH_FLAG OR NOT HAVE_WALL)
	message(FATAL_ERROR "flag checks are wrong")
endif()
check_ipo_supported(RESULT ipo OUTPUT why LANGUAGES C)
message(STATUS "ipo ${ipo}")
add_library(seen SHARED part.c)
target_compile_definitions(seen PRIVATE PART=part_seen)
add_library(plain STATIC part.c)
target_compile_definitions(plain PRIVATE PART=part_plain)
add_executable(parts parts.c)
target_link_libraries(parts seen plain Threads::Threads)
add_executable(work work.cpp)
target_link_libraries(work Threads::Threads)
install(TARGETS parts seen)
enable_testing()
add_test(NAME parts COMMAND parts)
X
expect "cmake" env CC="$cc" CXX="$cxx" cmake -S . -B out -DCMAKE_BUILD_TYPE=Release -DCMAKE_INSTALL_PREFIX="$work/inst" \
	-DCMAKE_INSTALL_RPATH="$work/inst/lib"
expect "the compiler is known as Clang" grep -q 'CMAKE_C_COMPILER_ID "Clang"' out/CMakeFiles/*/CMakeCCompiler.cmake
expect "build" cmake --build out
expect "ctest" sh -c 'cd out && ctest'
expect "library is instrumented" instrumented out/libseen.so
clang++-19 -O2 -std=c++17 -pthread work.cpp -o want && ./want > want.out
out/work > got.out 2>&1
same "C++ program works" got.out want.out
expect "install" cmake --install out
"$work/inst/bin/parts" > installed.out 2>&1
out/parts > built.out 2>&1
same "installed program works" installed.out built.out
closing
