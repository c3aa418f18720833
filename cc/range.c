/* cc/range.c -- marks what the standard library asks of addresses within one range.
 * Containers, iterators and algorithms count with addresses, and ask which is lower, of places in one array: the answer is the same wherever that lies.
 * Whoever asks whether a program depends on where blocks lie needs to know them from questions about two blocks.  What compares *elements*, which may
 * be addresses themselves, stands in other headers (stl_function.h, predefined_ops.h, functional_hash.h, the comparisons of stl_algobase.h) and
 * is not marked.  The mark is an annotation, which optimisers keep, set before they move code away from its lines; it goes with the bitcode.  Without
 * debug information there is none. */
#include <string.h>

#include "cc/bitcode.h"
#include "cc/door.h"
#include "cc/pass.h"
#include "wire/sites.h"

unsigned range_kind(LLVMModuleRef module)
{
	return LLVMGetMDKindIDInContext(LLVMGetModuleContext(module), "annotation", 10);
}

static const char *const of_ranges[] = { "stl_vector.h", "vector.tcc", "stl_iterator.h", "stl_iterator_base_funcs.h", "stl_algo.h", "stl_heap.h",
	"stl_uninitialized.h", "stl_construct.h", "stl_deque.h", "deque.tcc", "stl_bvector.h", "basic_string.h", "basic_string.tcc",
	"new_allocator.h", "alloc_traits.h", "array", "span", "string_view", "range_access.h" };

/* "/usr/include/c++/12/bits/stl_vector.h": what stands behind the folder of the version. */
static const char *library_header(const char *file, unsigned length)
{
	static const char before[] = "/include/c++/";
	for (unsigned i = 0; i + sizeof before - 1 < length; i++)
		if (memcmp(file + i, before, sizeof before - 1) == 0)
			return file + i;
	return NULL;
}

static bool is_of_range(LLVMValueRef in)
{
	unsigned length = 0;
	LLVMMetadataRef location = LLVMInstructionGetDebugLoc(in), scope = location ? LLVMDILocationGetScope(location) : NULL,
		file = scope ? LLVMDIScopeGetFile(scope) : NULL;
	const char *name = file ? LLVMDIFileGetFilename(file, &length) : NULL;
	if (!name || !library_header(name, length))
		return false;
	unsigned at = length;
	while (at && name[at - 1] != '/')
		at--;
	bool difference = LLVMGetInstructionOpcode(in) == LLVMSub;
	for (size_t i = 0; i < sizeof of_ranges / sizeof *of_ranges; i++)
		if (strlen(of_ranges[i]) == length - at && memcmp(of_ranges[i], name + at, length - at) == 0)
			return true;
	return difference && length - at == 14 && memcmp(name + at, "stl_algobase.h", 14) == 0;
}

void range_mark(LLVMModuleRef module)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMMetadataRef word = LLVMMDStringInContext2(context, RANGE_MARK, sizeof RANGE_MARK - 1);
	LLVMValueRef mark = LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, &word, 1));
	unsigned kind = range_kind(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in)) {
				LLVMOpcode op = LLVMGetInstructionOpcode(in);
				bool asks = op == LLVMSub || op == LLVMICmp || op == LLVMAShr || op == LLVMSDiv;
				if (asks && !LLVMGetMetadata(in, kind) && is_of_range(in))
					LLVMSetMetadata(in, kind, mark);
			}
}
