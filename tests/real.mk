# tests/real.mk -- Debian packages by name (tools/check-real.sh).  T=name picks one package, REAL="-k -q" its options.
real-tests: all
	@RADDLE_BUILD=$(B) tools/check-real.sh $(REAL) $(T)
.PHONY: real-tests
