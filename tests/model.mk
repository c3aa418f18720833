# tests/model.mk -- the model against what runs show.
# Every fifth program in `make test`, each in `make soak`.
#   make depend-tests [SOAK=1] [T=tests/run/hunt/ticket/prog.c]
$(B)/tests/witness: tests/model/witness.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

depend-tests: all $(B)/tests/witness
	@RADDLE_BUILD=$(B) EVERY=$(if $(SOAK)$(T),1,5) SEEDS=$(if $(SOAK),60,3) tests/model/model.sh $(T)
test-programs: $(B)/tests/witness
.PHONY: depend-tests
