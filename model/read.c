/* model/read.c -- reads the units of a program with LLVM.  The work is done by a child, which leaves the arrays of model/code.h in
 * a file without a name; a child that dies or finds an error gives an error here. */
#include "model/read.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/str.h"
#include "model/read_inside.h"
#include "wire/sites.h"

static uint32_t read_text(struct reading *r, const char *text, size_t length)
{
	uint32_t at = (uint32_t)r->code->strings.count;
	for (size_t i = 0; i < length && text[i]; i++)
		vec_push(&r->code->strings, text[i]);
	vec_push(&r->code->strings, 0);
	return at;
}

uint64_t read_size(struct reading *r, LLVMTypeRef type)
{
	return type && LL(LLVMTypeIsSized)(type) ? LL(LLVMABISizeOfType)(r->layout, type) : 0;
}

static bool is_local(LLVMValueRef value)
{
	LLVMLinkage linkage = LL(LLVMGetLinkage)(value);
	return linkage == LLVMInternalLinkage || linkage == LLVMPrivateLinkage;
}

static uint32_t name_of(struct reading *r, LLVMValueRef value)
{
	size_t length;
	const char *name = LL(LLVMGetValueName2)(value, &length);
	return read_text(r, name, length);
}

static void enter_global(struct reading *r, LLVMValueRef value)
{
	struct code *c = r->code;
	struct global g = { .name = name_of(r, value), .unit = r->unit, .bytes = read_size(r, LL(LLVMGlobalGetValueType)(value)) };
	g.flags = (LL(LLVMIsDeclaration)(value) ? 0 : GLOBAL_DEFINED) | (is_local(value) ? GLOBAL_LOCAL : 0) |
		(LL(LLVMIsGlobalConstant)(value) ? GLOBAL_CONSTANT : 0) | (LL(LLVMIsThreadLocal)(value) ? GLOBAL_THREAD : 0);
	LLVMValueRef first = g.flags & GLOBAL_DEFINED ? LL(LLVMGetInitializer)(value) : NULL;
	g.flags |= first && LL(LLVMIsNull)(first) ? GLOBAL_ZERO : 0;
	uint32_t index = read_new(r, value, OP_GLOBAL, NONE);
	c->values.at[index].number = (int64_t)c->globals.count;
	vec_push(&c->globals, g);
}

static bool has_attribute(LLVMValueRef function, const char *name)
{
	unsigned kind = LL(LLVMGetEnumAttributeKindForName)(name, strlen(name));
	return LL(LLVMGetEnumAttributeAtIndex)(function, LLVMAttributeFunctionIndex, kind) != NULL;
}

static bool is_unwatched(LLVMValueRef function)
{
	return LL(LLVMGetStringAttributeAtIndex)(function, LLVMAttributeFunctionIndex, SYNC_ONLY, sizeof SYNC_ONLY - 1) != NULL ||
		has_attribute(function, "naked") || has_attribute(function, "disable_sanitizer_instrumentation");
}

static void enter_function(struct reading *r, LLVMValueRef value)
{
	struct code *c = r->code;
	uint32_t me = (uint32_t)c->functions.count;
	bool defined = !LL(LLVMIsDeclaration)(value) && LL(LLVMGetLinkage)(value) != LLVMAvailableExternallyLinkage;
	struct function f = { .name = name_of(r, value), .unit = r->unit, .param_count = LL(LLVMCountParams)(value) };
	f.flags = (defined ? FUNCTION_DEFINED : 0) | (is_local(value) ? FUNCTION_LOCAL : 0) |
		(LL(LLVMGetIntrinsicID)(value) ? FUNCTION_INTRINSIC : 0) |
		(LL(LLVMIsFunctionVarArg)(LL(LLVMGlobalGetValueType)(value)) ? FUNCTION_VARARG : 0) |
		(defined && is_unwatched(value) ? FUNCTION_UNWATCHED : 0);
	f.value = read_new(r, value, OP_FUNCTION, NONE);
	c->values.at[f.value].number = me;
	f.param_at = (uint32_t)c->values.count;
	for (unsigned i = 0; i < f.param_count; i++) {
		uint32_t argument = read_new(r, LL(LLVMGetParam)(value, i), OP_ARGUMENT, me);
		c->values.at[argument].number = i;
	}
	vec_push(&c->functions, f);
}

/* Names first: an initialiser may refer to any of them. */
static void read_names(struct reading *r)
{
	for (LLVMValueRef g = LL(LLVMGetFirstGlobal)(r->module); g; g = LL(LLVMGetNextGlobal)(g))
		enter_global(r, g);
	for (LLVMValueRef f = LL(LLVMGetFirstFunction)(r->module); f; f = LL(LLVMGetNextFunction)(f))
		enter_function(r, f);
	for (LLVMValueRef a = LL(LLVMGetFirstGlobalAlias)(r->module); a; a = LL(LLVMGetNextGlobalAlias)(a))
		read_new(r, a, OP_SAME, NONE);
}

static void read_aliases(struct reading *r)
{
	for (LLVMValueRef a = LL(LLVMGetFirstGlobalAlias)(r->module); a; a = LL(LLVMGetNextGlobalAlias)(a)) {
		uint32_t index = (uint32_t)*map_get(&r->values, (uint64_t)(uintptr_t)a);
		LLVMValueRef target = LL(LLVMAliasGetAliasee)(a);
		read_operands(r, index, &target, 1);
		if (!is_local(a))
			vec_push(&r->code->aliases, ((struct alias){ name_of(r, a), r->unit, index }));
	}
}

static void read_module(struct reading *r)
{
	size_t length;
	const char *name = LL(LLVMGetSourceFileName)(r->module, &length);
	r->layout = LL(LLVMGetModuleDataLayout)(r->module);
	r->unit = (uint32_t)r->code->units.count;
	vec_push(&r->code->units, ((struct compiled){ .name = read_text(r, name, length) }));
	read_names(r);
	read_aliases(r);
	for (LLVMValueRef g = LL(LLVMGetFirstGlobal)(r->module); g; g = LL(LLVMGetNextGlobal)(g)) {
		LLVMValueRef init = LL(LLVMIsDeclaration)(g) ? NULL : LL(LLVMGetInitializer)(g);
		if (init)
			read_init(r, (uint32_t)r->code->values.at[*map_get(&r->values, (uint64_t)(uintptr_t)g)].number, init, 0);
	}
	for (LLVMValueRef f = LL(LLVMGetFirstFunction)(r->module); f; f = LL(LLVMGetNextFunction)(f)) {
		uint32_t index = (uint32_t)r->code->values.at[*map_get(&r->values, (uint64_t)(uintptr_t)f)].number;
		if (r->code->functions.at[index].flags & FUNCTION_DEFINED)
			read_body(r, f, index);
	}
}

static void say_nothing(LLVMDiagnosticInfoRef info, void *with)
{
	(void)info;
	(void)with;
}

static int read_piece(struct code *c, const struct piece *p, uint32_t object, bool lift, const char *path, struct err *why)
{
	LLVMContextRef context = LL(LLVMContextCreate)();
	struct reading r = { .code = c, .context = context };
	LL(LLVMContextSetDiagnosticHandler)(context, say_nothing, NULL);
	LLVMMemoryBufferRef buffer = LL(LLVMCreateMemoryBufferWithMemoryRange)((const char *)p->bytes, p->count, "", 0);
	if (LL(LLVMParseBitcodeInContext2)(context, buffer, &r.module))
		return err_set(why, "the bitcode kept in '%s' is damaged: LLVM cannot read unit %zu", path, c->units.count + 1);
	r.range_kind = LL(LLVMGetMDKindIDInContext)(context, "annotation", 10);
	if (lift)
		read_lift(&r);
	read_module(&r);
	c->units.at[c->units.count - 1].object = object;
	map_release(&r.values);
	map_release(&r.site_counts);
	LL(LLVMDisposeModule)(r.module);
	return 0;
}

static int child(int fd, const struct section *sections, const char *const *paths, size_t count, bool lift, struct err *why)
{
	struct code c = { 0 };
	vec_push(&c.values, ((struct value){ .op = OP_CONSTANT, .function = NONE, .block = NONE, .ordinal = NONE }));
	vec_push(&c.strings, 0);
	if (llvm_open(why))
		return -1;
	for (size_t i = 0; i < count; i++)
		for (size_t k = 0; k < sections[i].pieces.count; k++)
			if (read_piece(&c, &sections[i].pieces.at[k], (uint32_t)i, lift, paths[i], why))
				return -1;
	return code_save(&c, fd) ? err_set(why, "cannot hand over what was read: %s", str_error(errno)) : 0;
}

int read_sections(struct code *c, const struct section *sections, const char *const *paths, size_t count, bool lift, struct err *why)
{
	int status = 0, fd = memfd_create("raddle code", MFD_CLOEXEC);
	struct err *told = mmap(NULL, sizeof *told, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (fd < 0 || told == MAP_FAILED)
		return err_set(why, "cannot make memory to share: %s", str_error(errno));
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);  /* what LLVM prints when it gives up is nothing for the user */
		if (nowhere < 0 || dup2(nowhere, 2) < 0)
			_exit(1);
		_exit(child(fd, sections, paths, count, lift, told) ? 1 : 0);
	}
	while (pid > 0 && waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	int got = -1;
	if (pid < 0)
		err_set(why, "cannot start a reader of the bitcode: %s", str_error(errno));
	else if (WIFEXITED(status) && WEXITSTATUS(status) == 0 && lseek(fd, 0, SEEK_SET) == 0)
		got = code_restore(c, fd, why);
	else if (WIFEXITED(status) && told->text[0])
		*why = *told;
	else
		err_set(why, "the bitcode kept in '%s' is damaged: LLVM gave up on it", paths[0]);
	munmap(told, sizeof *told);
	close(fd);
	return got;
}
