# tests/suites.mk -- test suites of other tools that lie in a directory; nothing of them is part of this tree.
#   make suites SUITES=DIR [SUITE="tsan svcomp"] [T=pattern]
suites: all
	@RADDLE_BUILD=$(B) T="$(or $(T),.)" tests/suites/suites.sh "$(SUITES)" $(SUITE)
.PHONY: suites
