# tests/models.mk -- steered runs under sc, tso and pso against the axioms of the models, over litmus tests.
#   make models-tests [SOAK=1] [QUICK=1]
# Always the named ones and every shape of up to 3 accesses; a sample of the others, which SOAK=1 makes larger.
AGREE := $(B)/tests/agree
$(AGREE): $(filter-out tests/models/litmus.c,$(wildcard tests/models/*.[ch])) $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@
$(B)/tests/litmus: tests/models/litmus.c $(B)/raddle-cc $(B)/lib/libraddle-rt.so $(B)/lib/raddle-pass.so
	@mkdir -p $(@D)
	$(B)/raddle-cc -O1 -g -pthread $< -o $@

NAMED := "W0.2 R2.2|W2.2 R0.2" "W0.2 F R2.2|W2.2 F R0.2" "S0.2 R2.2|S2.2 R0.2" "X0.2 R2.2|X2.2 R0.2" "W0.2 f R2.2|W2.2 f R0.2" \
	"W0.2 W2.2|R2.2 R0.2" "W0.2 f W2.2|R2.2 R0.2" "W0.2 L2.2|R2.2 R0.2" "W0.2 X2.2|R2.2 R0.2" \
	"R0.2 W2.2|R2.2 W0.2" "W0.2 W2.2|W2.2 W0.2" "W0.2 L2.2|W2.2 L0.2" \
	"W0.2 W2.2|W2.2 R0.2" "W0.2 W2.2|R2.2 W0.2" "W0.2|R0.2 W2.2|R2.2 R0.2" \
	"W0.2 R0.2 R2.2|W2.2 R2.2 R0.2" "W0.1 R0.2|W1.1 R0.2" "W0.4 R2.2|W2.2 R0.2" "W0.4 W1.2 R0.4|W2.2 R0.4" "L0.2 W2.2|R2.2 R0.2"
FULL  := $(if $(SOAK),"W0.2|W2.2|R0.2 R2.2|R2.2 R0.2") "X0.2|X0.2 W2.2|R2.2 R0.2" "W0.2 F W2.2|W2.2 F R0.2"
SAMPLE := -p 2,2,1 -x 2,2,$(if $(SOAK),1,4) -p 3,2,1 -p 3,3,1 -x 3,2,$(if $(SOAK),1,40) -x 3,3,$(if $(SOAK),1,40) -p 4,2,$(if $(SOAK),1,9) -p 4,3,$(if $(SOAK),1,12) \
	$(if $(SOAK),-x 4$(comma)2$(comma)5 -x 4$(comma)3$(comma)5 -p 5$(comma)2$(comma)1 -p 5$(comma)3$(comma)4 -x 5$(comma)2$(comma)300 -x 5$(comma)3$(comma)400 -p 6$(comma)2$(comma)50 -p 6$(comma)3$(comma)100)
comma := ,

models-tests: $(AGREE) $(B)/tests/litmus
	@$(AGREE) $(if $(QUICK),,$(SAMPLE)) $(B)/tests/litmus $(NAMED) $(if $(QUICK),,$(FULL)) > $(B)/tests/models.log || cat $(B)/tests/models.log; \
	tail -1 $(B)/tests/models.log; ! tail -1 $(B)/tests/models.log | grep -qv ' 0 failed'
.PHONY: models-tests
