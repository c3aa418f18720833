# tests/bad.mk -- damaged input through the program.  STEPS: how many places each file is damaged at.
bad-tests: $(B)/raddle $(B)/raddle-cc
	@RADDLE_BUILD=$(B) STEPS=$(if $(SOAK),2000,60) tests/bad/bad.sh

.PHONY: bad-tests
