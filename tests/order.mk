# tests/order.mk -- the order engine against its oracles: brute force over all interleavings, and Z3.
#   make order-tests [SOAK=1] [QUICK=1]
ORDER_ORACLE := $(B)/tests/against
$(ORDER_ORACLE): $(wildcard tests/order/*.[ch]) $(filter-out verify/main.c,$(wildcard verify/*.[ch])) $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -lz3 -o $@

order-tests: $(ORDER_ORACLE) $(B)/bench/solve
	@passed=0; failed=0; for what in "all $(if $(QUICK),5,6)" "weak $(if $(QUICK),3,$(if $(SOAK),5,4))" \
		"random $(if $(QUICK),1000,$(if $(SOAK),1000000,30000))" \
		"lives $(if $(QUICK),800,$(if $(SOAK),400000,5000))" \
		"all-reads $(if $(QUICK),4,5)" "weak-reads $(if $(SOAK),4,3)" "reads $(if $(QUICK),300,$(if $(SOAK),100000,1500))" \
		"refute $(if $(QUICK),300,$(if $(SOAK),200000,2500))" \
		$(if $(QUICK),,"z3 $(if $(SOAK),100000,5000)"); do \
		$(ORDER_ORACLE) $$what > $(B)/tests/against.log || cat $(B)/tests/against.log; \
		set -- $$(tail -1 $(B)/tests/against.log); passed=$$((passed + $$1)); failed=$$((failed + $$3)); done; \
	$(B)/bench/solve against 20000 > $(B)/tests/against.log || cat $(B)/tests/against.log; \
	set -- $$(tail -1 $(B)/tests/against.log); passed=$$((passed + $$1)); failed=$$((failed + $$3)); \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]
test-programs: $(ORDER_ORACLE) $(B)/bench/solve
.PHONY: order-tests
