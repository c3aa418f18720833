/* cc/bitcode.c -- keeps the bitcode of a module, for whoever reasons about its code later.  He counts the sites of a function
 * as wire/sites.h says and finds place and name of each in the table, so neither debug information nor names of values are kept with it. */
#include "cc/bitcode.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "cc/door.h"
#include "cc/pass.h"

#define LINE 4096
#define PACKED_MOST 1000u
#define SKIPPED 0x184d2a50u                       /* begins a frame of zstd without data; its size follows */
#define SKIPPED_HEAD 8u
#define TIGHT 15                                  /* of zstd: beyond it, more time than it saves space */

/* Readers believe no more than PACKED_MOST to one (base/unpack.h): behind what shrank further stands a frame they skip. */
static size_t pad(char *packed, size_t stored, size_t bytes)
{
	size_t least = bytes / PACKED_MOST + 1;
	if (stored >= least)
		return stored;
	least = least < stored + SKIPPED_HEAD ? stored + SKIPPED_HEAD : least;
	uint32_t head[2] = { SKIPPED, (uint32_t)(least - stored - SKIPPED_HEAD) };
	memcpy(packed + stored, head, sizeof head);
	memset(packed + stored + SKIPPED_HEAD, 0, head[1]);
	return least;
}

/* As text for the assembler: the only way to a section that is neither loaded nor, like .llvmbc, taken by ar and ld for
 * the code itself. */
static void hold(struct unit *u, const struct bytes *b)
{
	static const char open[] = "\t.pushsection " BITCODE_SECTION ",\"\",@progbits\n", close[] = "\t.popsection\n";
	struct bytes text = { 0 };
	bytes_add(&text, open, sizeof open - 1);
	for (size_t i = 0; i < b->count; i += LINE) {
		size_t end = i + LINE < b->count ? i + LINE : b->count;
		bytes_add(&text, "\t.ascii \"", 9);
		for (size_t k = i; k < end; k++) {
			uint8_t c = b->at[k];
			char octal[4] = { '\\', (char)('0' + (c >> 6)), (char)('0' + (c >> 3 & 7)), (char)('0' + (c & 7)) };
			bytes_add(&text, isalnum(c) ? (const char *)&c : octal, isalnum(c) ? 1 : 4);
		}
		bytes_add(&text, "\"\n", 2);
	}
	bytes_add(&text, close, sizeof close - 1);
	LLVMAppendModuleInlineAsm(u->module, (const char *)text.at, text.count);
	free(text.at);
}

/* What only helps an optimiser (types of accesses, weights of branches). */
static void drop_hints(LLVMValueRef in, unsigned kept)
{
	size_t count;
	LLVMValueMetadataEntry *all = LLVMInstructionGetAllMetadataOtherThanDebugLoc(in, &count);
	for (unsigned i = 0; i < count; i++)
		if (LLVMValueMetadataEntriesGetKind(all, i) != kept)
			LLVMSetMetadata(in, LLVMValueMetadataEntriesGetKind(all, i), NULL);
	LLVMDisposeValueMetadataEntries(all);
}

static void drop_all_hints(LLVMModuleRef module)
{
	unsigned range = range_kind(module);
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
			for (LLVMValueRef in = LLVMGetFirstInstruction(b); in; in = LLVMGetNextInstruction(in))
				drop_hints(in, range);
}

void bitcode_keep(struct unit *u)
{
	const char *wish = getenv("RADDLE_BITCODE");
	if (wish && strcmp(wish, "0") == 0)
		return;
	LLVMModuleRef copy = door_bare_copy(u->module);
	drop_all_hints(copy);
	LLVMMemoryBufferRef buffer = door_bitcode(copy);
	LLVMDisposeModule(copy);
	size_t bytes = LLVMGetBufferSize(buffer), room = ZSTD_compressBound(bytes) + SKIPPED_HEAD;
	char *packed = malloc(room);
	if (!packed)
		abort();
	size_t stored = ZSTD_compress(packed, room, LLVMGetBufferStart(buffer), bytes, TIGHT);
	if (!ZSTD_isError(stored)) {
		struct bytes b = { 0 };
		stored = pad(packed, stored, bytes);
		uint32_t stored32 = (uint32_t)stored;
		uint64_t bytes64 = bytes;
		bytes_add(&b, "RDBC", 4);
		bytes_add(&b, &stored32, 4);
		bytes_add(&b, &bytes64, 8);
		bytes_add(&b, packed, stored);
		while (b.count % 8)
			bytes_add(&b, "", 1);
		hold(u, &b);
		free(b.at);
	}
	free(packed);
	LLVMDisposeMemoryBuffer(buffer);
}
