# raddle -- build, test and install.
#   make            the toolchain in build/        make check    quick tests (under a minute)
#   make demo       build, record an example       make test     everything a fresh machine must pass
#   make bench      figures                        make soak     big counts, fuzzing hours
#   make install PREFIX=/usr/local                 make check-real   Debian packages by name
# Variables: CC (gcc or clang-19), SAN=1 (ASan+UBSan build of the host half in build-san/), T=name (one test).

PREFIX ?= /usr/local
CC     ?= gcc
ifeq ($(origin CC),default)
CC     := gcc
endif
LLVM   := $(shell command -v llvm-config-19 2>/dev/null)
CLANG  ?= clang-19
CLANGXX ?= clang++-19
B      := $(if $(SAN),build-san,build)

WARN   := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes
STD    := -std=gnu17 -D_GNU_SOURCE -I.
OPT    := -O2 -g $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined)
comma  := ,
DEPS    = -MMD -MP

HOST_ROOMS := base trace drive report cli
HOST_SRC   := $(foreach r,$(HOST_ROOMS),$(wildcard $(r)/*.c))
HOST_OBJ   := $(HOST_SRC:%.c=$(B)/%.o)
HOST_LIBS  := -lzstd -lxxhash -ldw -lelf
RT_C       := $(wildcard rt/*.c)
RT_S       := $(wildcard rt/*.S)
RT_FLAGS   := -std=gnu17 -D_GNU_SOURCE -I. -O2 -g -fvisibility=hidden -fno-builtin -fno-stack-protector -fno-exceptions

all: $(B)/raddle $(B)/raddle-cc $(B)/raddle-c++ $(B)/lib/libraddle-rt.so $(B)/lib/libraddle-rt.a $(B)/lib/raddle-pass.so

# ---- host half ----
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(DEPS) -c $< -o $@

$(B)/libraddle-host.a: $(filter-out $(B)/cli/main.o,$(HOST_OBJ))
	@rm -f $@
	ar rcs $@ $^

$(B)/raddle: $(B)/cli/main.o $(B)/libraddle-host.a
	$(CC) $(OPT) $^ $(HOST_LIBS) -o $@

# ---- compiler half ----
$(B)/raddle-cc: $(patsubst %.c,$(B)/%.o,$(wildcard cc/driver*.c))
	$(CC) $(OPT) $^ -o $@
$(B)/raddle-c++: $(B)/raddle-cc
	ln -sf raddle-cc $@

PASS_SRC := $(filter-out $(wildcard cc/driver*.c),$(wildcard cc/*.c))
PASS_OBJ := $(PASS_SRC:%.c=$(B)/pass/%.o) $(B)/pass/cc/door.o
$(B)/pass/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) -O2 -g -fPIC -fvisibility=hidden $(WARN) $(DEPS) -isystem $(shell $(LLVM) --includedir) -c $< -o $@
$(B)/pass/cc/door.o: cc/door.cpp
	@mkdir -p $(@D)
	$(CLANGXX) -std=c++17 -O1 -fPIC -fno-rtti -fno-exceptions -Wall -Wextra -Werror -I. -isystem $(shell $(LLVM) --includedir) -c $< -o $@
$(B)/lib/raddle-pass.so: $(PASS_OBJ)
	@mkdir -p $(@D)
	$(CLANGXX) -shared $^ -lzstd -o $@

# ---- runtime: what is linked into the program under test ----
$(B)/rt/%.o: rt/%.c
	@mkdir -p $(@D)
	$(CC) $(RT_FLAGS) -fPIC -mgeneral-regs-only $(WARN) $(DEPS) -c $< -o $@
$(B)/rt/%.o: rt/%.S
	@mkdir -p $(@D)
	$(CC) -I. -fPIC -c $< -o $@
$(B)/rt-static/%.o: rt/%.c
	@mkdir -p $(@D)
	$(CC) $(RT_FLAGS) -DRADDLE_STATIC -mgeneral-regs-only $(WARN) $(DEPS) -c $< -o $@
$(B)/rt-static/%.o: rt/%.S
	@mkdir -p $(@D)
	$(CC) -I. -c $< -o $@
$(B)/lib/libraddle-rt.so: $(RT_C:rt/%.c=$(B)/rt/%.o) $(RT_S:rt/%.S=$(B)/rt/%.o)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libraddle-rt.so -Wl,-z,now $^ -o $@
$(B)/lib/libraddle-rt.a: $(RT_C:rt/%.c=$(B)/rt-static/%.o) $(RT_S:rt/%.S=$(B)/rt-static/%.o)
	@rm -f $@; mkdir -p $(@D)
	ar rcs $@ $^

clean:
	rm -rf build build-san

.PHONY: all clean
-include $(shell find $(B) -name '*.d' 2>/dev/null)
