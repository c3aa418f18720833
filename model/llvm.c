/* model/llvm.c -- opens libLLVM 19 and finds its functions. */
#include "model/llvm.h"

#include <dlfcn.h>
#include <stddef.h>

struct llvm llvm;

int llvm_open(struct err *why)
{
	static const char *const files[] = { "libLLVM.so.19.1", "libLLVM-19.so.1", "libLLVM-19.so", "/usr/lib/llvm-19/lib/libLLVM.so" };
	void *library = NULL;
	for (size_t i = 0; !library && i < sizeof files / sizeof *files; i++)
		library = dlopen(files[i], RTLD_LAZY | RTLD_LOCAL);
	if (!library) {
		err_set(why, "libLLVM 19 is not here, which reads the bitcode of a program");
		return err_hint(why, "install libllvm19");
	}
#define F(name) if (!(*(void **)&llvm.name##_ = dlsym(library, #name))) return err_set(why, "libLLVM 19 has no function %s", #name);
	LLVM_FUNCTIONS(F)
#undef F
	return 0;
}
