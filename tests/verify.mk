# tests/verify.mk -- raddle info --verify against real programs: recordings that hold together, altered values that do not.
#   make verify-tests [VERIFY_RUNS=20] [VERIFY_ALTERED=15]
verify-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/verify/run.sh $(or $(VERIFY_RUNS),$(if $(QUICK),4,20)) $(or $(VERIFY_ALTERED),$(if $(QUICK),4,15))

.PHONY: verify-tests
