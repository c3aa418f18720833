# tests/report.mk -- reports of made-up findings: what browsers, XML and JSON readers make of them.
$(B)/tests/reports: tests/report/reports.c tests/report/sample.c tests/report/sample.h $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $(filter %.c,$^) $(B)/libraddle-host.a $(HOST_LIBS) -o $@

$(B)/tests/faults: tests/report/faults.c $(B)/libraddle-host.a
	@mkdir -p $(@D)
	$(CC) $(STD) $(OPT) $(WARN) $< $(B)/libraddle-host.a $(HOST_LIBS) -o $@

REPORT_TESTS := $(wildcard tests/report/*.sh)
report-tests: $(B)/raddle $(B)/tests/reports $(B)/tests/faults
	@RADDLE_BUILD=$(B) tools/scripts.sh $(REPORT_TESTS)
test-programs: $(B)/tests/reports $(B)/tests/faults
.PHONY: report-tests
