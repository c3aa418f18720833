# tests/check.mk -- the oracle of `check`: its own counts against those known from elsewhere.
#   make check-tests [QUICK=1]
CHECK_ORACLE := $(B)/tests/oracle
$(CHECK_ORACLE): $(wildcard tests/check/*.[ch])
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) -o $@

check-tests: $(CHECK_ORACLE)
	@bash tests/check/known.sh $(CHECK_ORACLE)
.PHONY: check-tests
