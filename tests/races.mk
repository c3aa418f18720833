# tests/races.mk -- the race detector against brute force and against order/ on random runs.
#   make races-tests [SOAK=1] [QUICK=1]
RACES_ORACLE := $(B)/tests/races
$(RACES_ORACLE): $(wildcard tests/races/*.[ch]) $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@

races-tests: $(RACES_ORACLE)
	@$(RACES_ORACLE) $(if $(QUICK),3000,$(if $(SOAK),1000000,20000)) > $(B)/tests/races.log || cat $(B)/tests/races.log; tail -1 $(B)/tests/races.log; \
	! tail -1 $(B)/tests/races.log | grep -qv ' 0 failed'
test-programs: $(RACES_ORACLE)
.PHONY: races-tests
