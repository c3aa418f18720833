# tests/unit.mk -- unit tests (cmocka) and fuzzing (libFuzzer) of the host half.
#   make unit [T=trace_sites]      make fuzz [FUZZ_SECONDS=10] [T=codec]
UNIT_SRC  := $(wildcard tests/unit/*.c)
UNIT_BIN  := $(UNIT_SRC:tests/unit/%.c=$(B)/unit/%)
UNIT_PICK := $(if $(T),$(filter $(B)/unit/$(T),$(UNIT_BIN)),$(UNIT_BIN))

# What tests of reports are about.
UNIT_REPORT := $(B)/unit/report $(B)/unit/report_sarif $(B)/unit/report_suppress
$(UNIT_REPORT): UNIT_MORE := tests/report/sample.c tests/report/sarif_check.c
$(UNIT_REPORT): tests/report/sample.c tests/report/sarif_check.c

$(B)/unit/%: tests/unit/%.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(UNIT_MORE) $(B)/libraddle-host.a $(HOST_LIBS) -lcmocka -o $@

unit: $(UNIT_PICK)
	@passed=0; failed=0; for t in $(UNIT_PICK); do \
		$$t >$$t.log 2>&1 || { cat $$t.log; echo "FAILED: $$t"; }; \
		passed=$$((passed + $$(grep -c '\[       OK \]' $$t.log))); \
		failed=$$((failed + $$(grep -c '\[  FAILED  \] [a-z]' $$t.log | awk '{ print int(($$1 + 1) / 2) }'))); \
		grep -q '\[  PASSED  \]' $$t.log || failed=$$((failed + 1)); done; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]

# A verdict on a commit must not be a throw of dice: `make test` tries the same inputs each time, so many of each target (about eight seconds of
# a quiet machine), from one seed, without a corpus and with memory at fixed places, since libFuzzer learns from pointers that are compared; a slow
# machine only stops earlier among them.  `make soak` starts from a new seed each time, with the corpus it has.
FUZZ_SECONDS ?= $(if $(SOAK),3600,10)
FUZZ_RUNS := certificate=300000 codec=100000 input=2500000 live=40000 order=90000 schedule=400000 sites=800000 std=180000 text=45000 trace=8000
FUZZ_FIXED := $(if $(SOAK),,$(shell setarch -R true 2>/dev/null && echo setarch -R))
FUZZ_SRC  := $(wildcard tests/fuzz/*.c)
FUZZ_BIN  := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/%)
FUZZ_PICK := $(if $(T),$(filter $(B)/fuzz/$(T),$(FUZZ_BIN)),$(FUZZ_BIN))

# What the targets try, compiled once for all of them.
FUZZ_FLAGS := -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_TRIED := $(wildcard base/*.c trace/*.c drive/schedule*.c drive/input.c drive/ring.c $(filter-out drive/races_watch.c,$(wildcard drive/races*.c)) order/*.c model/*.c analyses/determinism/*.c report/*.c verify/refutation.c certify/parse.c certify/link.c certify/buffer.c certify/machine.c certify/cover.c) \
	tests/report/sample.c tests/report/sarif_check.c
FUZZ_OBJ   := $(FUZZ_TRIED:%.c=$(B)/fuzz/obj/%.o)

$(B)/fuzz/obj/model/%.o: model/%.c
	@mkdir -p $(@D)
	$(CLANG) $(STD) $(FUZZ_FLAGS) $(WARN) $(DEPS) -isystem $(shell $(LLVM) --includedir) -c $< -o $@
$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CLANG) $(STD) $(FUZZ_FLAGS) $(WARN) $(DEPS) -c $< -o $@
$(FUZZ_BIN): $(B)/fuzz/%: tests/fuzz/%.c $(FUZZ_OBJ)
	$(CLANG) $(STD) $(FUZZ_FLAGS) -fsanitize=fuzzer $(WARN) $^ $(HOST_LIBS) -o $@

fuzz: $(FUZZ_PICK)
	@passed=0; failed=0; for t in $(FUZZ_PICK); do name=$${t##*/}; rm -f $$t.log; \
		$(if $(SOAK),mkdir -p $$t.corpus; how=$$t.corpus,runs=$$(echo $(FUZZ_RUNS) | tr ' ' '\n' | sed -n "s/^$$name=//p"); how="-seed=1 -runs=$${runs:-50000}"); \
		if $(FUZZ_FIXED) $$t -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -rss_limit_mb=3000 -artifact_prefix=$$t- $$how >$$t.log 2>&1; \
		then passed=$$((passed + 1)); echo "$$name: $$(tail -1 $$t.log)"; \
		else failed=$$((failed + 1)); tail -40 $$t.log; echo "FAILED: $$t"; fi; done; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]

run-programs: $(UNIT_BIN)
test-programs: $(FUZZ_BIN)
.PHONY: unit fuzz
