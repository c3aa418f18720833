# tests/cc.mk -- tests of the compiler driver; each script runs alone too.  T=name picks one.
CC_TESTS := $(filter-out tests/cc/lib.sh,$(wildcard tests/cc/*.sh))
# Built where the runtime is built: both must know the same wire/steer.h, also when somebody edits it while the tests run.
$(B)/tests/steered: tests/cc/src/steered.c $(B)/raddle-cc $(B)/lib/libraddle-rt.so
	@mkdir -p $(@D)
	$(B)/raddle-cc -O1 -I. -D_GNU_SOURCE -MMD -MP -MF $@.d $< -o $@
all: $(wildcard $(B)/tests/steered)

cc-tests: all $(B)/tests/steered
	@RADDLE_BUILD=$(B) tools/scripts.sh $(if $(T),$(wildcard tests/cc/$(T).sh),$(CC_TESTS))
test-programs: $(B)/tests/steered
.PHONY: cc-tests
