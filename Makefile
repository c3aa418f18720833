# raddle -- build, test and install.
#   make            the toolchain in build/        make check    quick tests (under a minute)
#   make demo       build, record an example       make test     everything a fresh machine must pass
#   make bench      figures                        make soak     big counts, fuzzing hours
#   make install PREFIX=/usr/local                 make check-real   Debian packages by name
# Variables: CC (gcc or clang-19), SAN=1 (ASan+UBSan build of the host half in build-san/), T=name (one test),
# B=dir (build somewhere else), V=1 (print commands), BENCH="options of bench/run.sh".

PREFIX ?= /usr/local
CC     ?= gcc
ifeq ($(origin CC),default)
CC     := gcc
endif
LLVM   := $(shell command -v llvm-config-19 2>/dev/null)
CLANG  ?= clang-19
CLANGXX ?= clang++-19
B      ?= $(if $(SAN),build-san,build)

WARN   := -Wall -Wextra -Werror -Wstrict-prototypes -Wmissing-prototypes
STD    := -std=gnu17 -D_GNU_SOURCE -I.
comma  := ,
OPT    := -O2 -g $(if $(SAN),-fsanitize=address$(comma)undefined -fno-sanitize-recover=undefined)
DEPS    = -MMD -MP

HOST_ROOMS := base trace model order drive analyses/determinism analyses/predict analyses/check analyses/epa certify report cli
HOST_SRC   := $(foreach r,$(HOST_ROOMS),$(wildcard $(r)/*.c))
HOST_OBJ   := $(HOST_SRC:%.c=$(B)/%.o)
HOST_LIBS  := -lzstd -lxxhash -ldw -lelf -liberty -lcadical -lsqlite3 -lsodium -lstdc++ -lm
RT_C       := $(wildcard rt/*.c)
RT_S       := $(wildcard rt/*.S)
RT_FLAGS   := -std=gnu17 -D_GNU_SOURCE -I. -O2 -g -fvisibility=hidden -fno-builtin -fno-stack-protector -fno-exceptions -fno-omit-frame-pointer -ftls-model=initial-exec -fdata-sections

all: $(B)/raddle $(B)/raddle-verify $(B)/raddle-cc $(B)/raddle-c++ $(B)/lib/libraddle-rt.so $(B)/lib/libraddle-rt.a $(B)/lib/raddle-pass.so $(B)/lib/include/raddle.h $(B)/lib/raddle-gdb.py

$(B)/lib/raddle-gdb.py: cli/raddle-gdb.py
	@mkdir -p $(@D)
	cp $< $@

$(B)/lib/include/raddle.h: include/raddle.h
	@mkdir -p $(@D)
	cp $< $@

# What programs and tests use is put in place whole: who builds while they run disturbs nobody in the middle of a link.

# ---- host half ----
$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(DEPS) -c $< -o $@

# model/ speaks LLVM's C interface; the library itself is opened when bitcode is read.
$(B)/model/%.o: model/%.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(DEPS) -isystem $(shell $(LLVM) --includedir) -c $< -o $@

$(B)/libraddle-host.a: $(filter-out $(B)/cli/main.o,$(HOST_OBJ))
	@rm -f $@
	ar rcs $@ $^

# CaDiCaL's C++ library is linked in: to load it takes as long as a short question; of libsodium one function is needed
RADDLE_LIBS := $(if $(SAN),$(HOST_LIBS),$(subst -lsodium -lstdc++,-static-libgcc -Wl$(comma)-Bstatic -lsodium -lstdc++ -Wl$(comma)-Bdynamic,$(HOST_LIBS)))
$(B)/raddle: $(B)/cli/main.o $(B)/libraddle-host.a
	$(CC) $(OPT) $^ $(RADDLE_LIBS) -o $@.new && mv $@.new $@

# ---- the checker of refutations, which shares nothing with the rest ----
$(B)/raddle-verify: $(B)/verify/main.o $(B)/verify/refutation.o
	$(CC) $(OPT) $^ -o $@.new && mv $@.new $@

# ---- compiler half ----
# The driver carries a hash of the plugin, so that compiler caches see a new compiler when the plugin is new.
$(B)/cc/driver_id.o: cc/driver_id.c cc/driver.h wire/version.h $(B)/lib/raddle-pass.so
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -DPLUGIN_ID='"'$$(sha256sum < $(B)/lib/raddle-pass.so | cut -c1-16)'"' -c $< -o $@
$(B)/raddle-cc: OPT := -O2 -g
$(B)/raddle-cc: $(patsubst %.c,$(B)/%.o,$(wildcard cc/driver*.c))
	$(CC) $(OPT) $^ -o $@.new && mv $@.new $@
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
	$(CLANGXX) -shared $^ -lzstd -o $@.new && mv $@.new $@

# ---- runtime: what is linked into the program under test ----
# gcc zeroes and copies small structures by string instructions when it has no vector registers: ten times slower than stores.
RT_FLAGS += $(if $(findstring clang,$(CC)),,-mmemset-strategy=unrolled_loop:256:noalign$(comma)rep_8byte:-1:noalign \
	-mmemcpy-strategy=unrolled_loop:256:noalign$(comma)rep_8byte:-1:noalign)
# No vector registers but in the one file whose functions get values in them.
RT_REGISTERS := -mgeneral-regs-only
$(B)/rt/varargs.o $(B)/rt-static/varargs.o: RT_REGISTERS :=
# What the program calls leaves nothing of ours in registers: it would look like a state of the program that changes (rt/state.h).
RT_CALLED := mutex rwlock sem spin join strings
$(RT_CALLED:%=$(B)/rt/%.o) $(RT_CALLED:%=$(B)/rt-static/%.o): RT_REGISTERS += -fzero-call-used-regs=all-gpr -fno-optimize-sibling-calls
$(B)/rt/%.o: rt/%.c
	@mkdir -p $(@D)
	$(CC) $(RT_FLAGS) -fPIC $(RT_REGISTERS) $(WARN) $(DEPS) -c $< -o $@
$(B)/rt/%.o: rt/%.S
	@mkdir -p $(@D)
	$(CC) -I. -fPIC -c $< -o $@
$(B)/rt-static/%.o: rt/%.c
	@mkdir -p $(@D)
	$(CC) $(RT_FLAGS) -DRADDLE_STATIC $(RT_REGISTERS) $(WARN) $(DEPS) -c $< -o $@
$(B)/rt-static/%.o: rt/%.S
	@mkdir -p $(@D)
	$(CC) -I. -DRADDLE_STATIC -c $< -o $@
$(B)/lib/libraddle-rt.so: $(RT_C:rt/%.c=$(B)/rt/%.o) $(RT_S:rt/%.S=$(B)/rt/%.o)
	@mkdir -p $(@D)
	$(CC) -shared -Wl,-soname,libraddle-rt.so -Wl,-z,now -Wl,--sort-section=alignment $^ -o $@.new && mv $@.new $@
$(B)/lib/libraddle-rt.a: $(RT_C:rt/%.c=$(B)/rt-static/%.o) $(RT_S:rt/%.S=$(B)/rt-static/%.o)
	@rm -f $@; mkdir -p $(@D)
	ar rcs $@ $^

# ---- what people call ----
# Each sets the machine up first; only then is make asked again, so that nothing above needs to exist before that.
PUBLIC := demo check test bench soak install check-real
$(PUBLIC):
	@tools/setup.sh $@
	@[ -x $(B)/raddle ] || echo "raddle: building, which takes about half a minute" >&2
	+@$(MAKE) --no-print-directory $(if $(V),,-s) -j$(shell nproc) all
	$(if $(filter test,$@),+@$(MAKE) --no-print-directory $(if $(V),,-s) -j$(shell nproc) test-programs)
	+@$(MAKE) --no-print-directory $(if $(V),,-s) do-$@

do-demo: all
	@examples/demo.sh $(B)
do-check: all
	+@tools/suites.sh $(MAKE) QUICK=1 -- layers unit run-tests order-tests races-tests predict-tests
do-test: all
	+@LANES=$(shell nproc) tools/suites.sh $(MAKE) -- layers unit run-tests order-tests check-tests races-tests predict-tests models-tests depend-tests alter-tests commute-tests verify-tests cc-tests bad-tests epa-tests report-tests doc-tests fuzz san-tests
do-bench: all bench-programs
	@bench/run.sh $(B) $(BENCH)
	@tools/readme-numbers.sh
do-soak: all
	+@tools/suites.sh $(MAKE) SOAK=1 -- $(if $(filter kill mutate folder,$(T)),$(T)-tests,$(SOAK_ALL))
SOAK_ALL := unit run-tests order-tests check-tests races-tests predict-tests models-tests depend-tests alter-tests commute-tests verify-tests cc-tests bad-tests epa-tests alike-tests fuzz soak-tests kill-tests mutate-tests folder-tests
do-check-real: all
	+@tools/suites.sh $(MAKE) -- real-tests

# Measuring programs that are linked with raddle's own parts; bench/*.sh take them as they are.
BENCH_BIN := $(addprefix $(B)/bench/,solve races restart switch kept predicttrace firstpass canon)
$(BENCH_BIN): $(B)/bench/%: bench/%.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@
bench-programs: $(BENCH_BIN)

# Everything the suites of `make test` run, built before the first of them: suites that run side by side build nothing.
# Each tests/*.mk adds its own; run-programs are those of `unit` and `run-tests`, which need them with sanitisers too.
test-programs: run-programs
	+@$(MAKE) --no-print-directory $(if $(V),,-s) SAN=1 B=$(B)-san run-programs
run-programs: all

# The host half once more under AddressSanitizer and UndefinedBehaviorSanitizer, its unit and run tests with it.
san-tests:
	+@$(MAKE) --no-print-directory $(if $(V),,-s) SAN=1 B=$(B)-san all
	+@tools/suites.sh $(MAKE) SAN=1 B=$(B)-san QUICK=1 -- unit run-tests

# ---- install ----
BIN := $(DESTDIR)$(PREFIX)/bin
LIB := $(DESTDIR)$(PREFIX)/lib/raddle
MAN := $(DESTDIR)$(PREFIX)/share/man
COMPLETION := $(DESTDIR)$(PREFIX)/share/bash-completion/completions
do-install: all
	install -d $(BIN) $(LIB)
	install -m 755 $(B)/raddle $(B)/raddle-verify $(B)/raddle-cc $(BIN)
	ln -sf raddle-cc $(BIN)/raddle-c++
	install -m 755 $(B)/lib/libraddle-rt.so $(B)/lib/raddle-pass.so $(LIB)
	install -m 644 $(B)/lib/libraddle-rt.a $(B)/lib/raddle-gdb.py $(LIB)
	install -D -m 644 include/raddle.h $(LIB)/include/raddle.h
	@for page in $(wildcard docs/man/*.[1-9]); do \
		install -D -m 644 $$page $(MAN)/man$${page##*.}/$${page##*/} || exit 1; done
	@for header in $(wildcard include/*.h); do install -D -m 644 $$header $(DESTDIR)$(PREFIX)/$$header || exit 1; done
	@for words in $(wildcard docs/completion/*); do install -D -m 644 $$words $(COMPLETION)/$${words##*/} || exit 1; done

clean:
	rm -rf build build-san

.PHONY: all clean san-tests bench-programs test-programs run-programs $(PUBLIC) $(PUBLIC:%=do-%)
-include $(wildcard tests/*.mk)
-include $(shell find $(B) -path $(B)/real -prune -o -type f -name '*.d' -print 2>/dev/null)
