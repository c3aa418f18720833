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

FUZZ_SECONDS ?= $(if $(SOAK),3600,10)
# A verdict on a commit must not be a throw of dice: `make test` starts from one seed and no corpus, `make soak` from a new one each time.
FUZZ_START := $(if $(SOAK),,-seed=1)
FUZZ_SRC  := $(wildcard tests/fuzz/*.c)
FUZZ_BIN  := $(FUZZ_SRC:tests/fuzz/%.c=$(B)/fuzz/%)
FUZZ_PICK := $(if $(T),$(filter $(B)/fuzz/$(T),$(FUZZ_BIN)),$(FUZZ_BIN))

# What the targets try, compiled once for all of them.
FUZZ_FLAGS := -g -O1 -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined
FUZZ_TRIED := $(wildcard base/*.c trace/*.c drive/schedule*.c drive/input.c drive/ring.c $(filter-out drive/races_watch.c,$(wildcard drive/races*.c)) order/*.c analyses/determinism/*.c report/*.c) \
	tests/report/sample.c tests/report/sarif_check.c
FUZZ_OBJ   := $(FUZZ_TRIED:%.c=$(B)/fuzz/obj/%.o)

$(B)/fuzz/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CLANG) $(STD) $(FUZZ_FLAGS) $(WARN) $(DEPS) -c $< -o $@
$(FUZZ_BIN): $(B)/fuzz/%: tests/fuzz/%.c $(FUZZ_OBJ)
	$(CLANG) $(STD) $(FUZZ_FLAGS) -fsanitize=fuzzer $(WARN) $^ $(HOST_LIBS) -o $@

fuzz: $(FUZZ_PICK)
	@passed=0; failed=0; for t in $(FUZZ_PICK); do $(if $(SOAK),,rm -rf $$t.corpus;) mkdir -p $$t.corpus; \
		if $$t $(FUZZ_START) -max_total_time=$(FUZZ_SECONDS) -max_len=65536 -rss_limit_mb=3000 -artifact_prefix=$$t- $$t.corpus >$$t.log 2>&1; \
		then passed=$$((passed + 1)); echo "$$(basename $$t): $$(tail -1 $$t.log)"; \
		else failed=$$((failed + 1)); tail -40 $$t.log; echo "FAILED: $$t"; fi; done; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]

.PHONY: unit fuzz
