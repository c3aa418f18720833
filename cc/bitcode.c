/* cc/bitcode.c -- keeps the bitcode of a module: what model/ reasons about, with every site's ordinal attached. */
#include "cc/bitcode.h"

#include <llvm-c/BitWriter.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "cc/pass.h"

static LLVMValueRef hold(struct unit *u, const struct bytes *b)
{
	LLVMValueRef data = LLVMConstStringInContext2(u->context, (const char *)b->at, b->count, 1);
	LLVMValueRef global = LLVMAddGlobal(u->module, LLVMTypeOf(data), "raddle.bitcode");
	LLVMSetInitializer(global, data);
	LLVMSetLinkage(global, LLVMPrivateLinkage);
	LLVMSetSection(global, BITCODE_SECTION);
	LLVMSetAlignment(global, 1);
	LLVMSetGlobalConstant(global, 1);
	return global;
}

void bitcode_keep(struct unit *u)
{
	const char *wish = getenv("RADDLE_BITCODE");
	if (wish && strcmp(wish, "0") == 0)
		return;
	LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(u->module);
	size_t bytes = LLVMGetBufferSize(buffer), room = ZSTD_compressBound(bytes);
	char *packed = malloc(room);
	if (!packed)
		abort();
	size_t stored = ZSTD_compress(packed, room, LLVMGetBufferStart(buffer), bytes, 3);
	if (!ZSTD_isError(stored)) {
		struct bytes b = { 0 };
		uint32_t stored32 = (uint32_t)stored;
		uint64_t bytes64 = bytes;
		bytes_add(&b, "RDBC", 4);
		bytes_add(&b, &stored32, 4);
		bytes_add(&b, &bytes64, 8);
		bytes_add(&b, packed, stored);
		while (b.count % 8)
			bytes_add(&b, "", 1);
		u->bitcode = hold(u, &b);
		free(b.at);
	}
	free(packed);
	LLVMDisposeMemoryBuffer(buffer);
}
