# tests/check.mk -- the oracle of `check`: its own counts against those known from elsewhere; random programs by both.
#   make check-tests [QUICK=1] [SOAK=1]
CHECK_ORACLE := $(B)/tests/oracle
$(CHECK_ORACLE): $(addprefix tests/check/,machine.c oracle.c program.c machine.h program.h)
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) -o $@
$(B)/tests/made $(B)/tests/varied: $(B)/tests/%: tests/check/%.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< -o $@

check-tests: $(CHECK_ORACLE) $(B)/tests/made $(B)/tests/varied
	@passed=0; failed=0; for what in "known.sh $(CHECK_ORACLE)" "random.sh $(B) 1 $(if $(QUICK),3,$(if $(SOAK),1000,20))" "random.sh $(B) 219 219 large" \
		"random.sh $(B) $(if $(SOAK),1 1000,$(if $(QUICK),47 47,46 49)) libc" \
		"varied.sh $(B) 1 $(if $(QUICK),4,$(if $(SOAK),10000,20))"; do \
		bash tests/check/$$what > $(B)/tests/check.log || cat $(B)/tests/check.log; \
		set -- $$(tail -1 $(B)/tests/check.log); passed=$$((passed + $$1)); failed=$$((failed + $$3)); done; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]
test-programs: $(B)/tests/made $(B)/tests/varied
run-programs: $(CHECK_ORACLE)
.PHONY: check-tests
