# tests/soak.mk -- what takes hours: many recordings of the same programs, each verified.   SOAK_RUNS: how many of each.
soak-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/soak.sh $(or $(SOAK_RUNS),100000)

.PHONY: soak-tests
