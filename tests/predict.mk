# tests/predict.mk -- the first pass of predict against brute force on random runs; what it calls infeasible against schedules of made-up programs.
#   make predict-tests [SOAK=1] [QUICK=1]
SCREENED := $(B)/tests/screened
$(SCREENED): tests/predict/screened.c tests/races/made.c tests/races/closure.c tests/races/made.h $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@

GUARDED := $(B)/tests/guarded
PAIRS := $(B)/tests/pairs
$(GUARDED) $(PAIRS): $(B)/tests/%: tests/predict/%.c
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< -o $@

predict-tests: $(SCREENED) $(GUARDED) $(PAIRS) $(B)/raddle $(B)/raddle-cc
	@RADDLE_BUILD=$(B) tests/predict/guarded.sh $(if $(QUICK),2,$(if $(SOAK),400,8))
	@RADDLE_BUILD=$(B) tests/predict/pairs.sh $(if $(QUICK),2 40,$(if $(SOAK),600 1,10 35))
	@$(SCREENED) $(if $(QUICK),1000,$(if $(SOAK),500000,6000)) > $(B)/tests/screened.log || cat $(B)/tests/screened.log; tail -1 $(B)/tests/screened.log; \
	! tail -1 $(B)/tests/screened.log | grep -qv ' 0 failed'
test-programs: $(SCREENED) $(GUARDED) $(PAIRS)
.PHONY: predict-tests
