# tests/soak.mk -- what takes hours: many recordings of the same programs, each verified.   SOAK_RUNS: how many of each;
# and many checks of one program under load, SOAK_CHECKS of them.
soak-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/soak.sh $(or $(SOAK_RUNS),100000)
	@PATH="$(abspath $(B)):$$PATH" tests/soak/check.sh $(or $(SOAK_CHECKS),10000)

# Recordings killed at random moments: `make soak T=kill`.   SOAK_KILLS: how many.
kill-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/kill.sh $(or $(SOAK_KILLS),2000)

# Mutated files of every format through every command, under sanitizers: `make soak T=mutate`.   SOAK_MUTATIONS: how many.
$(B)/tests/mutate: tests/soak/mutate.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@
mutate-tests: $(B)/tests/mutate
	+@$(MAKE) --no-print-directory $(if $(V),,-s) SAN=1 B=$(B)-san all
	@RADDLE_BUILD=$(B)-san MUTATE=$(abspath $(B))/tests/mutate tests/soak/mutate.sh $(or $(SOAK_MUTATIONS),100000) $(or $(SOAK_SEED),1)
test-programs: $(B)/tests/mutate

# Hunts and predicts side by side in one folder: `make soak T=folder`.   SOAK_ROUNDS: how many.
folder-tests: all
	@PATH="$(abspath $(B)):$$PATH" tests/soak/folder.sh $(or $(SOAK_ROUNDS),100)

.PHONY: soak-tests kill-tests mutate-tests folder-tests
