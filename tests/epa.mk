# tests/epa.mk -- faults whose fate is known by construction: 100 in `make test`, 1,000 and more in `make soak`.
$(B)/tests/planted: tests/epa/planted.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

epa-tests: all $(B)/tests/planted
	@folder=$$(mktemp -d) && $(B)/tests/planted $(abspath $(B))/raddle-cc $$folder $(if $(SOAK),1000 $$(date +%s),100); code=$$?; rm -rf $$folder; exit $$code
test-programs: $(B)/tests/planted
.PHONY: epa-tests
