# tests/soak.mk -- what takes hours: many recordings of the same programs, each verified.   SOAK_RUNS: how many of each.
soak-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/soak.sh $(or $(SOAK_RUNS),100000)

# Recordings killed at random moments: `make soak T=kill`.   SOAK_KILLS: how many.
kill-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/kill.sh $(or $(SOAK_KILLS),2000)

.PHONY: soak-tests kill-tests
