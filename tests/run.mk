# tests/run.mk -- tests that run raddle and compare what it says, the include table, the manual, fuzzing of the text parsers.
# T=name picks one test of run-tests.
RUN_PROGRAMS := $(addprefix $(B)/tests/,outcomes same again kept many)
run-tests: $(B)/raddle $(B)/tests/oracle $(RUN_PROGRAMS)
	@RADDLE_BUILD=$(B) QUICK=$(QUICK) tests/run/run.sh $(T)

# Every outcome of a program over its schedules with few preemptions: the tests of group steer call it.
# The same runs made by a server (same), one after the other in one process (again), or from checkpoints (kept), and by processes of their own;
# what runs of a server do to others (many, group server).
$(RUN_PROGRAMS): $(B)/tests/%: tests/steer/%.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) -MMD -MP -MF $@.d $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@
# Those that were built once are kept up to date: tests/run/run.sh takes them as they are.
all: $(wildcard $(B)/tests/oracle $(RUN_PROGRAMS))

layers:
	@tests/layers.sh

doc-tests: $(B)/raddle
	@RADDLE_BUILD=$(B) tests/doc/doc.sh

run-programs: $(RUN_PROGRAMS)
.PHONY: run-tests layers doc-tests
