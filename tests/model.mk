# tests/model.mk -- the model against what runs show.
# Every fifth program in `make test`, each in `make soak`.
#   make depend-tests [SOAK=1] [T=tests/run/hunt/ticket/prog.c]
$(B)/tests/witness: tests/model/witness.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

depend-tests: all $(B)/tests/witness
	@RADDLE_BUILD=$(B) EVERY=$(if $(SOAK)$(T),1,5) SEEDS=$(if $(SOAK),60,3) tests/model/model.sh $(T)
	@RADDLE_BUILD=$(B) LEVEL=-O0 EVERY=$(if $(SOAK)$(T),1,9) SEEDS=$(if $(SOAK),20,3) tests/model/model.sh $(T)
test-programs: $(B)/tests/witness

# The same with one read altered in each run: every twentieth program in `make test`, each in `make soak`.
#   make alter-tests [SOAK=1] [T=tests/run/hunt/ticket/prog.c]
alter-tests: all $(B)/tests/witness
	@RADDLE_BUILD=$(B) EVERY=$(if $(SOAK)$(T),1,20) SITES=$(if $(SOAK),40,3) tests/model/altered.sh $(T)

# Updates that are said to commute against all interleavings of random programs, 60 in a file.
#   make commute-tests [SOAK=1] [FIRST=0]
$(B)/tests/commuting: tests/model/commuting.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< -o $@

commute-tests: all $(B)/tests/commuting
	@room=$$(mktemp -d); passed=0; failed=0; for i in $$(seq 0 $(if $(SOAK),199,$(if $(QUICK),0,2))); do \
		$(B)/tests/commuting $$room $(abspath $(B))/raddle $$((60 * i + $(or $(FIRST),0))) 60 > $$room/log || cat $$room/log; \
		set -- $$(tail -1 $$room/log); passed=$$((passed + $$1)); failed=$$((failed + $$3)); done; rm -rf $$room; \
	echo "$$passed passed, $$failed failed"; [ $$failed = 0 ]
test-programs: $(B)/tests/commuting
.PHONY: depend-tests alter-tests commute-tests
