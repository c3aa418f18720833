# tests/predict.mk -- the first pass of predict against brute force on random runs.
#   make predict-tests [SOAK=1] [QUICK=1]
SCREENED := $(B)/tests/screened
$(SCREENED): tests/predict/screened.c tests/races/made.c tests/races/closure.c tests/races/made.h $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@

predict-tests: $(SCREENED)
	@$(SCREENED) $(if $(QUICK),1000,$(if $(SOAK),500000,6000)) > $(B)/tests/screened.log || cat $(B)/tests/screened.log; tail -1 $(B)/tests/screened.log; \
	! tail -1 $(B)/tests/screened.log | grep -qv ' 0 failed'
test-programs: $(SCREENED)
.PHONY: predict-tests
