/* cc/driver_flags.c -- what raddle-cc knows of single options: which matter to it, and which only gcc has.
 *
 * The gcc-only table was made by trying every -f, -m and -g flag gcc 12 documents on clang 19, and keeping those it refuses
 * as unknown or warns it has no such optimisation for (tests/cc/gcc-flags.sh tries them again).  Flags that change
 * what a program means or how it is called are not in it: those clang must refuse by itself. */
#include "cc/driver.h"

#include <string.h>

enum match { WHOLE, START };

struct known {
	const char *text;
	enum match match;
	enum effect effect;
};

/* First match wins. */
static const struct known table[] = {
	{ "-c", WHOLE, FX_NO_LINK }, { "--compile", WHOLE, FX_NO_LINK }, { "-S", WHOLE, FX_NO_LINK },
	{ "--assemble", WHOLE, FX_NO_LINK }, { "-emit-llvm", WHOLE, FX_NONE },
	{ "-E", WHOLE, FX_NO_CODE }, { "--preprocess", WHOLE, FX_NO_CODE }, { "-M", WHOLE, FX_NO_CODE },
	{ "-MM", WHOLE, FX_NO_CODE }, { "--dependencies", WHOLE, FX_NO_CODE }, { "--user-dependencies", WHOLE, FX_NO_CODE },
	{ "-fsyntax-only", WHOLE, FX_NO_CODE }, { "--analyze", WHOLE, FX_NO_CODE }, { "--migrate", WHOLE, FX_NO_CODE },
	{ "-emit-ast", WHOLE, FX_NO_CODE }, { "-rewrite-objc", WHOLE, FX_NO_CODE }, { "--precompile", WHOLE, FX_NO_LINK },
	{ "-cc1", START, FX_QUERY }, { "-print-", START, FX_QUERY }, { "--print-", START, FX_QUERY },
	{ "-dumpmachine", WHOLE, FX_QUERY }, { "-dumpversion", WHOLE, FX_QUERY }, { "--help", START, FX_QUERY },
	{ "-help", WHOLE, FX_QUERY }, { "--autocomplete=", START, FX_QUERY }, { "--version", WHOLE, FX_VERSION },
	{ "-shared", WHOLE, FX_SHARED }, { "--shared", WHOLE, FX_SHARED },
	{ "-static", WHOLE, FX_STATIC }, { "--static", WHOLE, FX_STATIC }, { "-static-pie", WHOLE, FX_STATIC },
	{ "-nostdlib", WHOLE, FX_NO_LIBRARIES }, { "--no-standard-libraries", WHOLE, FX_NO_LIBRARIES },
	{ "-nodefaultlibs", WHOLE, FX_NO_LIBRARIES }, { "-nolibc", WHOLE, FX_NO_LIBRARIES }, { "-lc", WHOLE, FX_HAS_LIBC },
	{ "-r", WHOLE, FX_RELOCATABLE }, { "-Wl,-r", WHOLE, FX_RELOCATABLE },
	{ "-Wl,--relocatable", WHOLE, FX_RELOCATABLE },
	{ "-ffreestanding", WHOLE, FX_FREESTANDING }, { "-fhosted", WHOLE, FX_HOSTED },
	{ "-flto", WHOLE, FX_LTO }, { "-flto=", START, FX_LTO }, { "-fno-lto", WHOLE, FX_NO_LTO },
	{ "-fuse-ld=", START, FX_LINKER }, { "--ld-path=", START, FX_LINKER },
	{ "-fthinlto-index=", START, FX_SECOND_RUN },
	{ "-g", WHOLE, FX_DEBUG }, { "-g0", WHOLE, FX_NO_DEBUG }, { "-ggdb0", WHOLE, FX_NO_DEBUG },
	{ "-g1", WHOLE, FX_DEBUG }, { "-g2", WHOLE, FX_DEBUG }, { "-g3", WHOLE, FX_DEBUG }, { "--debug", WHOLE, FX_DEBUG },
	{ "-ggdb", START, FX_DEBUG }, { "-glldb", WHOLE, FX_DEBUG }, { "-gsce", WHOLE, FX_DEBUG },
	{ "-gdwarf32", WHOLE, FX_NONE }, { "-gdwarf64", WHOLE, FX_NONE }, { "-gdwarf-aranges", WHOLE, FX_NONE },
	{ "-gdwarf", START, FX_DEBUG }, { "-gline-tables-only", WHOLE, FX_DEBUG }, { "-gmlt", WHOLE, FX_DEBUG },
	{ "-gfull", WHOLE, FX_DEBUG }, { "-gused", WHOLE, FX_DEBUG },
	{ "-m32", WHOLE, FX_FOREIGN }, { "-mx32", WHOLE, FX_FOREIGN }, { "-m16", WHOLE, FX_FOREIGN },
	{ "-m64", WHOLE, FX_NATIVE }, { "--target=", START, FX_TARGET }, { "-target", WHOLE, FX_TARGET },
	{ "-fsanitize=", START, FX_SANITIZE }, { "-fno-sanitize=", START, FX_NO_SANITIZE },
	{ "-mtls-dialect=", START, FX_DIALECT }, { "-x", START, FX_LANGUAGE }, { "--language", START, FX_LANGUAGE },
	{ "-Wl,--build-id=none", START, FX_NO_BUILD_ID }, { "--build-id=none", WHOLE, FX_NO_BUILD_ID },
};

enum effect flag_effect(const char *text)
{
	for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
		const struct known *k = &table[i];

		if (k->match == WHOLE ? strcmp(text, k->text) == 0 : text_starts(text, k->text))
			return k->effect;
	}
	return FX_NONE;
}

/* Options whose value is the next argument: clang 19 says "argument to '...' is missing" when it is not there. */
static const char *const with_value[] = {
	"-A", "-B", "-D", "-F", "-G", "-I", "-L", "-MF", "-MJ", "-MQ", "-MT", "-T", "-U", "-V", "-Xanalyzer", "-Xarch_device",
	"-Xarch_host", "-Xarch_x86_64", "-Xassembler", "-Xclang", "-Xcuda-fatbinary", "-Xcuda-ptxas", "-Xlinker",
	"-Xoffload-linker", "-Xopenmp-target", "-Xpreprocessor", "-arch", "-b", "-ccc-gcc-name", "-ccc-install-dir",
	"-cxx-isystem", "-dependency-dot", "-dependency-file", "-dsym-dir", "-dumpdir", "-e", "-fdebug-compilation-dir",
	"-filelist", "-fmodules-user-build-path", "-framework", "-ftrapv-handler", "-gen-cdb-fragment-path", "-idirafter",
	"-iframework", "-iframeworkwithsysroot", "-imacros", "-imultilib", "-include", "-include-pch", "-init", "-install_name",
	"-iprefix", "-iquote", "-isysroot", "-isystem", "-isystem-after", "-ivfsoverlay", "-iwithprefix", "-iwithprefixbefore",
	"-iwithsysroot", "-l", "-mllvm", "-mmlir", "-module-dependency-dir", "-mthread-model", "-o", "-resource-dir", "-rpath",
	"-serialize-diagnostics", "-stdlib++-isystem", "-target", "-u", "-undefined", "-vfsoverlay", "-working-directory", "-x",
	"-z", "--analyzer-output", "--assert", "--config", "--define-macro", "--for-linker", "--force-link", "--imacros",
	"--include", "--include-directory", "--include-directory-after", "--include-prefix", "--include-with-prefix",
	"--language", "--library-directory", "--output", "--param", "--prefix", "--print-file-name", "--print-prog-name",
	"--resource", "--serialize-diagnostics", "--std", "--sysroot", "--undefine-macro", "--vfsoverlay",
};

bool flag_takes_value(const char *text)
{
	if (text_starts(text, "-Xopenmp-target="))
		return true;
	for (size_t i = 0; i < sizeof with_value / sizeof with_value[0]; i++)
		if (strcmp(text, with_value[i]) == 0)
			return true;
	return false;
}

/* BOTH(f, x): -fx and -fno-x.   ONE(x): this very flag.   VALUE(x): x=something.   FAMILY(x): whatever begins with x. */
#define ONLY_GCC(BOTH, ONE, VALUE, FAMILY) \
	/* optimisations clang has no switch for */ \
	BOTH(f, "aggressive-loop-optimizations") BOTH(f, "align-jumps") BOTH(f, "align-labels") BOTH(f, "allocation-dce") \
	BOTH(f, "allow-store-data-races") BOTH(f, "auto-inc-dec") BOTH(f, "bit-tests") BOTH(f, "branch-count-reg") \
	BOTH(f, "branch-probabilities") BOTH(f, "branch-target-load-optimize") BOTH(f, "branch-target-load-optimize2") \
	BOTH(f, "btr-bb-exclusive") BOTH(f, "caller-saves") BOTH(f, "code-hoisting") BOTH(f, "combine-stack-adjustments") \
	BOTH(f, "compare-elim") BOTH(f, "conserve-stack") BOTH(f, "cprop-registers") BOTH(f, "crossjumping") \
	BOTH(f, "cse-follow-jumps") BOTH(f, "cse-skip-blocks") BOTH(f, "dce") BOTH(f, "declone-ctor-dtor") \
	BOTH(f, "default-inline") BOTH(f, "defer-pop") BOTH(f, "delayed-branch") BOTH(f, "delete-dead-exceptions") \
	BOTH(f, "devirtualize") BOTH(f, "devirtualize-at-ltrans") BOTH(f, "devirtualize-speculatively") BOTH(f, "dse") \
	BOTH(f, "early-inlining") BOTH(f, "expensive-optimizations") BOTH(f, "float-store") BOTH(f, "fold-simple-inlines") \
	BOTH(f, "forward-propagate") BOTH(f, "fp-int-builtin-inexact") BOTH(f, "function-cse") BOTH(f, "gcse") \
	BOTH(f, "gcse-after-reload") BOTH(f, "gcse-las") BOTH(f, "gcse-lm") BOTH(f, "gcse-sm") BOTH(f, "gnu-unique") \
	BOTH(f, "graphite") BOTH(f, "graphite-identity") BOTH(f, "guess-branch-probability") BOTH(f, "harden-compares") \
	BOTH(f, "harden-conditional-branches") BOTH(f, "hoist-adjacent-loads") BOTH(f, "if-conversion") \
	BOTH(f, "if-conversion2") BOTH(f, "indirect-inlining") BOTH(f, "inline-atomics") \
	BOTH(f, "inline-functions-called-once") BOTH(f, "inline-small-functions") BOTH(f, "ipa-bit-cp") BOTH(f, "ipa-cp") \
	BOTH(f, "ipa-cp-alignment") BOTH(f, "ipa-cp-clone") BOTH(f, "ipa-icf") BOTH(f, "ipa-icf-functions") \
	BOTH(f, "ipa-icf-variables") BOTH(f, "ipa-modref") BOTH(f, "ipa-profile") BOTH(f, "ipa-pta") \
	BOTH(f, "ipa-pure-const") BOTH(f, "ipa-ra") BOTH(f, "ipa-reference") BOTH(f, "ipa-reference-addressable") \
	BOTH(f, "ipa-sra") BOTH(f, "ipa-stack-alignment") BOTH(f, "ipa-strict-aliasing") BOTH(f, "ipa-vrp") \
	BOTH(f, "ira-hoist-pressure") BOTH(f, "ira-loop-pressure") BOTH(f, "ira-share-save-slots") \
	BOTH(f, "ira-share-spill-slots") BOTH(f, "isolate-erroneous-paths-attribute") \
	BOTH(f, "isolate-erroneous-paths-dereference") BOTH(f, "ivopts") BOTH(f, "keep-inline-functions") \
	BOTH(f, "keep-static-functions") BOTH(f, "large-source-files") BOTH(f, "lifetime-dse") \
	BOTH(f, "limit-function-alignment") BOTH(f, "live-patching") BOTH(f, "live-range-shrinkage") BOTH(f, "loop-block") \
	BOTH(f, "loop-flatten") BOTH(f, "loop-interchange") BOTH(f, "loop-nest-optimize") BOTH(f, "loop-optimize") \
	BOTH(f, "loop-parallelize-all") BOTH(f, "loop-strip-mine") BOTH(f, "loop-unroll-and-jam") BOTH(f, "lra-remat") \
	BOTH(f, "lto-odr-type-merging") BOTH(f, "lto-report") BOTH(f, "lto-report-wpa") BOTH(f, "merge-constants") \
	BOTH(f, "merge-debug-strings") BOTH(f, "modulo-sched") BOTH(f, "modulo-sched-allow-regmoves") \
	BOTH(f, "move-loop-invariants") BOTH(f, "move-loop-stores") BOTH(f, "nothrow-opt") \
	BOTH(f, "optimize-register-move") BOTH(f, "optimize-strlen") BOTH(f, "partial-inlining") BOTH(f, "peel-loops") \
	BOTH(f, "peephole") BOTH(f, "peephole2") BOTH(f, "predictive-commoning") BOTH(f, "prefetch-loop-arrays") \
	BOTH(f, "printf-return-value") BOTH(f, "profile-correction") BOTH(f, "profile-partial-training") \
	BOTH(f, "profile-reorder-functions") BOTH(f, "profile-values") BOTH(f, "regmove") BOTH(f, "rename-registers") \
	BOTH(f, "reorder-blocks") BOTH(f, "reorder-blocks-and-partition") BOTH(f, "reorder-functions") \
	BOTH(f, "rerun-cse-after-loop") BOTH(f, "rerun-loop-opt") BOTH(f, "reschedule-modulo-scheduled-loops") \
	BOTH(f, "sched-critical-path-heuristic") BOTH(f, "sched-dep-count-heuristic") BOTH(f, "sched-group-heuristic") \
	BOTH(f, "sched-last-insn-heuristic") BOTH(f, "sched-pressure") BOTH(f, "sched-rank-heuristic") BOTH(f, "sched-spec") \
	BOTH(f, "sched-spec-insn-heuristic") BOTH(f, "sched-spec-load") BOTH(f, "sched-spec-load-dangerous") \
	BOTH(f, "sched-stalled-insns") BOTH(f, "sched-stalled-insns-dep") BOTH(f, "sched2-use-superblocks") \
	BOTH(f, "schedule-fusion") BOTH(f, "schedule-insns") BOTH(f, "schedule-insns2") BOTH(f, "section-anchors") \
	BOTH(f, "sel-sched-pipelining") BOTH(f, "sel-sched-pipelining-outer-loops") \
	BOTH(f, "sel-sched-reschedule-pipelined") BOTH(f, "selective-scheduling") BOTH(f, "selective-scheduling2") \
	BOTH(f, "shrink-wrap") BOTH(f, "shrink-wrap-separate") BOTH(f, "signaling-nans") BOTH(f, "split-ivs-in-unroller") \
	BOTH(f, "split-loops") BOTH(f, "split-paths") BOTH(f, "split-wide-types") BOTH(f, "split-wide-types-early") \
	BOTH(f, "ssa-backprop") BOTH(f, "ssa-phiopt") BOTH(f, "stack-protector-explicit") BOTH(f, "stdarg-opt") \
	BOTH(f, "store-merging") BOTH(f, "strength-reduce") BOTH(f, "strong-eval-order") BOTH(f, "sync-libcalls") \
	BOTH(f, "thread-jumps") BOTH(f, "toplevel-reorder") BOTH(f, "tracer") BOTH(f, "trampolines") \
	BOTH(f, "tree-bit-ccp") BOTH(f, "tree-builtin-call-dce") BOTH(f, "tree-ccp") BOTH(f, "tree-ch") \
	BOTH(f, "tree-coalesce-vars") BOTH(f, "tree-copy-prop") BOTH(f, "tree-copyrename") BOTH(f, "tree-cselim") \
	BOTH(f, "tree-dce") BOTH(f, "tree-dominator-opts") BOTH(f, "tree-dse") BOTH(f, "tree-forwprop") BOTH(f, "tree-fre") \
	BOTH(f, "tree-loop-distribute-patterns") BOTH(f, "tree-loop-distribution") BOTH(f, "tree-loop-if-convert") \
	BOTH(f, "tree-loop-if-convert-stores") BOTH(f, "tree-loop-im") BOTH(f, "tree-loop-ivcanon") \
	BOTH(f, "tree-loop-linear") BOTH(f, "tree-loop-optimize") BOTH(f, "tree-loop-vectorize") BOTH(f, "tree-lrs") \
	BOTH(f, "tree-partial-pre") BOTH(f, "tree-phiprop") BOTH(f, "tree-pre") BOTH(f, "tree-pta") BOTH(f, "tree-reassoc") \
	BOTH(f, "tree-scev-cprop") BOTH(f, "tree-sink") BOTH(f, "tree-slsr") BOTH(f, "tree-sra") \
	BOTH(f, "tree-switch-conversion") BOTH(f, "tree-tail-merge") BOTH(f, "tree-ter") BOTH(f, "tree-vrp") \
	BOTH(f, "unconstrained-commons") BOTH(f, "unit-at-a-time") BOTH(f, "unroll-all-loops") \
	BOTH(f, "unsafe-loop-optimizations") BOTH(f, "unswitch-loops") BOTH(f, "use-linker-plugin") \
	BOTH(f, "variable-expansion-in-unroller") BOTH(f, "vect-cost-model") BOTH(f, "version-loops-for-strides") \
	BOTH(f, "vpt") BOTH(f, "web") BOTH(f, "whole-program") \
	VALUE("-falign-jumps") VALUE("-falign-labels") VALUE("-finline-limit") VALUE("-fira-algorithm") \
	VALUE("-fira-region") VALUE("-fira-verbose") VALUE("-flifetime-dse") VALUE("-flive-patching") \
	VALUE("-flto-compression-level") VALUE("-flto-partition") VALUE("-freorder-blocks-algorithm") \
	VALUE("-fprofile-reproducible") VALUE("-fprofile-prefix-path") VALUE("-fsched-stalled-insns") \
	VALUE("-fsched-stalled-insns-dep") VALUE("-fsched-verbose") VALUE("-fsimd-cost-model") VALUE("-fstack-reuse") \
	VALUE("-fstrong-eval-order") VALUE("-ftree-parallelize-loops") VALUE("-ftree-vectorizer-verbose") \
	VALUE("-fvect-cost-model") VALUE("--param") \
	/* diagnostics, dumps, limits of gcc itself */ \
	BOTH(f, "analyzer") BOTH(f, "analyzer-fine-grained") BOTH(f, "analyzer-state-merge") BOTH(f, "analyzer-transitivity") \
	BOTH(f, "canonical-system-headers") BOTH(f, "checking") BOTH(f, "compare-debug") BOTH(f, "concepts") \
	BOTH(f, "diagnostics-generate-patch") BOTH(f, "diagnostics-plain-output") BOTH(f, "diagnostics-show-caret") \
	BOTH(f, "diagnostics-show-cwe") BOTH(f, "diagnostics-show-labels") BOTH(f, "diagnostics-show-path-depths") \
	BOTH(f, "mem-report") BOTH(f, "pretty-templates") BOTH(f, "report-bug") BOTH(f, "time-report-details") \
	BOTH(f, "track-macro-expansion") \
	VALUE("-fanalyzer-checker") VALUE("-fanalyzer-verbosity") VALUE("-fcallgraph-info") VALUE("-fchecking") \
	VALUE("-fconcepts-diagnostics-depth") VALUE("-fconstexpr-cache-depth") VALUE("-fconstexpr-loop-limit") \
	VALUE("-fconstexpr-ops-limit") VALUE("-fdiagnostics-column-origin") VALUE("-fdiagnostics-column-unit") \
	VALUE("-fdiagnostics-escape-format") VALUE("-fdiagnostics-minimum-margin-width") VALUE("-fdiagnostics-path-format") \
	VALUE("-fdiagnostics-urls") VALUE("-fmax-include-depth") VALUE("-ftrack-macro-expansion") \
	ONE("-fcallgraph-info") ONE("-fvar-tracking") ONE("-fworking-directory") ONE("-pass-exit-codes") \
	FAMILY("-fdump-tree-") FAMILY("-fdump-rtl-") FAMILY("-fdump-ipa-") FAMILY("-fdump-lang-") FAMILY("-fopt-info") \
	FAMILY("-specs=") FAMILY("--specs=") \
	/* shape of debug information */ \
	BOTH(f, "var-tracking-assignments") BOTH(f, "var-tracking-uninit") BOTH(f, "eliminate-dwarf2-dups") \
	BOTH(f, "emit-class-debug-always") BOTH(f, "emit-struct-debug-baseonly") BOTH(f, "emit-struct-debug-reduced") \
	VALUE("-femit-struct-debug-detailed") VALUE("-gvariable-location-views") \
	BOTH(g, "as-loc-support") BOTH(g, "as-locview-support") BOTH(g, "describe-dies") BOTH(g, "inline-points") \
	BOTH(g, "internal-reset-location-views") BOTH(g, "statement-frontiers") BOTH(g, "variable-location-views") \
	/* tuning of the machine code */ \
	BOTH(m, "8bit-idiv") BOTH(m, "accumulate-outgoing-args") BOTH(m, "align-stringops") \
	BOTH(m, "avx256-split-unaligned-load") BOTH(m, "avx256-split-unaligned-store") BOTH(m, "dispatch-scheduler") \
	BOTH(m, "force-drap") BOTH(m, "fused-madd") BOTH(m, "indirect-branch-register") \
	BOTH(m, "inline-stringops-dynamically") BOTH(m, "mitigate-rop") BOTH(m, "prefer-avx128") BOTH(m, "push-args") \
	BOTH(m, "relax-cmpxchg-loop") BOTH(m, "stv") \
	VALUE("-malign-data") VALUE("-mbranch-cost") VALUE("-mincoming-stack-boundary") VALUE("-mindirect-branch") \
	VALUE("-mmemcpy-strategy") VALUE("-mmemset-strategy") VALUE("-mmove-max") VALUE("-mpreferred-stack-boundary") \
	VALUE("-mstore-max") VALUE("-mstringop-strategy") VALUE("-mtune-ctrl") VALUE("-mveclibabi")

static const char *const only_gcc_whole[] = {
#define BOTH(letter, x) "-" #letter x, "-" #letter "no-" x,
#define ONE(x) x,
#define VALUE(x)
#define FAMILY(x)
	ONLY_GCC(BOTH, ONE, VALUE, FAMILY)
#undef BOTH
#undef ONE
#undef VALUE
#undef FAMILY
};

static const char *const only_gcc_start[] = {
#define BOTH(letter, x)
#define ONE(x)
#define VALUE(x) x "=",
#define FAMILY(x) x,
	ONLY_GCC(BOTH, ONE, VALUE, FAMILY)
#undef BOTH
#undef ONE
#undef VALUE
#undef FAMILY
};

bool flag_only_gcc(const char *text)
{
	if (text_starts(text, "--param=ssp-buffer-size="))
		return false;
	for (size_t i = 0; i < sizeof only_gcc_whole / sizeof only_gcc_whole[0]; i++)
		if (strcmp(text, only_gcc_whole[i]) == 0)
			return true;
	for (size_t i = 0; i < sizeof only_gcc_start / sizeof only_gcc_start[0]; i++)
		if (text_starts(text, only_gcc_start[i]))
			return true;
	return false;
}

void flag_list_only_gcc(struct list *out)
{
	for (size_t i = 0; i < sizeof only_gcc_whole / sizeof only_gcc_whole[0]; i++)
		list_add(out, only_gcc_whole[i]);
	for (size_t i = 0; i < sizeof only_gcc_start / sizeof only_gcc_start[0]; i++)
		list_add(out, text_join(only_gcc_start[i], "1", ""));
}

/* Their runtimes stand in front of the same library functions as raddle's, or watch the same accesses. */
const char *flag_sanitizer(const char *list)
{
	static const char *const names[] = { "thread", "address", "memory", "hwaddress", "leak", "kernel-address", "dataflow",
		"realtime", "type" };

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		size_t n = strlen(names[i]);

		for (const char *s = list; s; s = strchr(s, ',')) {
			s += *s == ',';
			if (strncmp(s, names[i], n) == 0 && (s[n] == 0 || s[n] == ','))
				return names[i];
		}
	}
	return NULL;
}
