# tests/epa.mk -- faults whose fate is known by construction: 100 in `make test`, 1,000 and more in `make soak`.
$(B)/tests/planted: tests/epa/planted.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

epa-tests: all $(B)/tests/planted
	@for runs in native steered; do \
		folder=$$(mktemp -d) && $(B)/tests/planted $(abspath $(B))/raddle-cc $$folder $(if $(SOAK),1000,100) $$runs $(if $(SOAK),$$(date +%s)); code=$$?; \
		rm -rf $$folder; [ $$code = 0 ] || exit $$code; done
test-programs: $(B)/tests/planted
.PHONY: epa-tests

# Runs without a fault, half of them native, half steered in random orders: none may deviate.   ALIKE_RUNS: how many; killed, it goes on where it was.
# About 18 ms of processor time a run, as many at a time as there are cores: 100,000 in a quarter of an hour on two.
$(B)/tests/alike: tests/epa/alike.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

alike-tests: all $(B)/tests/alike
	@tests/epa/alike.sh $(B) $(or $(ALIKE_RUNS),$(if $(SOAK),100000,40)) $$(nproc)
.PHONY: alike-tests
