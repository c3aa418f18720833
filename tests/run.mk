# tests/run.mk -- tests that run raddle and compare what it says, the include table, the manual, fuzzing of the text parsers.
# T=name picks one test of run-tests.
run-tests: $(B)/raddle
	@RADDLE_BUILD=$(B) QUICK=$(QUICK) tests/run/run.sh $(T)

layers:
	@tests/layers.sh

doc-tests: $(B)/raddle
	@RADDLE_BUILD=$(B) tests/doc/doc.sh

.PHONY: run-tests layers doc-tests
