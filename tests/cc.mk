# tests/cc.mk -- tests of the compiler driver; each script runs alone too.  T=name picks one.
CC_TESTS := $(filter-out tests/cc/lib.sh,$(wildcard tests/cc/*.sh))
cc-tests: all
	@RADDLE_BUILD=$(B) tools/scripts.sh $(if $(T),$(wildcard tests/cc/$(T).sh),$(CC_TESTS))
.PHONY: cc-tests
