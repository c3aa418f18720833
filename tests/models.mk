# tests/models.mk -- steered runs under sc, tso and pso against the axioms of the models, over litmus tests.
#   make models-tests [SOAK=1] [QUICK=1]
# Always the named ones, every plain shape of up to 4 accesses and a sample of the others; SOAK=1: every shape of up to 6 and every variant, and
# 100,000 mixtures (soak.sh: in parts, and those that have passed are not run again); and calls of libc against the machine (libc.sh).
AGREE := $(B)/tests/agree
$(AGREE): $(filter-out tests/models/litmus.c tests/models/libc%,$(wildcard tests/models/*.[ch])) $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@
$(B)/tests/litmus: tests/models/litmus.c $(B)/raddle-cc $(B)/lib/libraddle-rt.so $(B)/lib/raddle-pass.so
	@mkdir -p $(@D)
	$(B)/raddle-cc -O1 -g -pthread $< -o $@
$(B)/tests/libc_native: tests/models/libc_native.c tests/models/libc_paths.h
	@mkdir -p $(@D)
	$(CC) $(STD) -O2 $(WARN) -pthread $< -o $@

NAMED := "W0.2 R2.2|W2.2 R0.2" "W0.2 F R2.2|W2.2 F R0.2" "S0.2 R2.2|S2.2 R0.2" "X0.2 R2.2|X2.2 R0.2" "W0.2 f R2.2|W2.2 f R0.2" \
	"W0.2 W2.2|R2.2 R0.2" "W0.2 f W2.2|R2.2 R0.2" "W0.2 L2.2|R2.2 R0.2" "W0.2 X2.2|R2.2 R0.2" \
	"R0.2 W2.2|R2.2 W0.2" "W0.2 W2.2|W2.2 W0.2" "W0.2 L2.2|W2.2 L0.2" \
	"W0.2 W2.2|W2.2 R0.2" "W0.2 W2.2|R2.2 W0.2" "W0.2|R0.2 W2.2|R2.2 R0.2" \
	"W0.2 R0.2 R2.2|W2.2 R2.2 R0.2" "W0.1 R0.2|W1.1 R0.2" "W0.4 R2.2|W2.2 R0.2" "W0.4 W1.2 R0.4|W2.2 R0.4" "L0.2 W2.2|R2.2 R0.2"
FULL  := "W0.2|W2.2|R0.2 R2.2|R2.2 R0.2" "X0.2|X0.2 W2.2|R2.2 R0.2" "W0.2 F W2.2|W2.2 F R0.2"
SAMPLE := -p 2,2,1 -x 2,2,1 -p 3,2,1 -p 3,3,1 -x 3,2,1 -x 3,3,1 -p 4,2,1 -p 4,3,1 -x 4,2,4 -x 4,3,4 -p 4,4,1 -p 5,4,10 \
	-p 5,2,4 -p 5,3,4 -x 5,2,60 -x 5,3,60 -p 6,2,30 -p 6,3,40 -p 6,4,40 -x 6,2,800 -x 6,3,800 -x 6,4,800 -r 300,1

models-tests: $(AGREE) $(B)/tests/litmus $(B)/tests/libc_native
	@$(AGREE) $(if $(QUICK),,$(SAMPLE)) $(B)/tests/litmus $(NAMED) $(if $(QUICK),,$(FULL)) > $(B)/tests/models.log; \
	$(if $(SOAK),tests/models/soak.sh $(AGREE) $(B)/tests/litmus $(B)/tests/models $(shell nproc) >> $(B)/tests/models.log;) \
	tests/models/libc.sh $(B)/tests/libc_native $(B) $(B)/tests/libc $(if $(SOAK),,short) >> $(B)/tests/models.log; \
	grep -hv ' passed, ' $(B)/tests/models.log; \
	awk '/ passed, / { good += $$1; bad += $$3; ends++ } END { print good " passed, " bad + ($(if $(SOAK),3,2) - ends) " failed" }' $(B)/tests/models.log | \
	tee $(B)/tests/models.sum; grep -q ' 0 failed' $(B)/tests/models.sum
test-programs: $(AGREE) $(B)/tests/litmus $(B)/tests/libc_native
.PHONY: models-tests
