/* cc/frame.c -- the stack of functions a thread is in, kept inline in its area (wire/ring.h): `depth` functions entered, of the
 * outermost AREA_FRAMES of them the descriptor with the ENTER flag and the address they return to. */
#include "cc/group.h"

#include <string.h>

static LLVMValueRef area_field(struct function *f, LLVMValueRef area, unsigned offset)
{
	LLVMValueRef index = unit_number(f->unit, offset);
	return LLVMBuildGEP2(f->unit->builder, f->unit->i8, area, &index, 1, "");
}

static LLVMValueRef load_area(struct function *f)
{
	struct unit *u = f->unit;
	return LLVMBuildLoad2(u->builder, u->pointer, unit_tls(u, TLS_AREA), "raddle.area");
}

/* Where the function whose code is being made will return to. */
LLVMValueRef frame_returns_to(struct unit *u)
{
	unsigned id = LLVMLookupIntrinsicID("llvm.returnaddress", strlen("llvm.returnaddress"));
	LLVMValueRef intrinsic = LLVMGetIntrinsicDeclaration(u->module, id, NULL, 0), own = LLVMConstInt(u->i32, 0, 0);
	return LLVMBuildCall2(u->builder, LLVMGlobalGetValueType(intrinsic), intrinsic, &own, 1, "");
}

/* area->frames[min(depth, last)] = { descriptor, return address }; area->depth = depth + 1 */
void frame_push(struct function *f, LLVMValueRef descriptor)
{
	struct unit *u = f->unit;
	LLVMValueRef area = load_area(f), last = LLVMConstInt(u->i32, AREA_FRAMES - 1, 0);
	LLVMValueRef depth_at = area_field(f, area, AREA_DEPTH_AT);
	f->depth = LLVMBuildLoad2(u->builder, u->i32, depth_at, "raddle.depth");
	LLVMValueRef over = LLVMBuildICmp(u->builder, LLVMIntUGT, f->depth, last, "");
	LLVMValueRef slot = LLVMBuildZExt(u->builder, LLVMBuildSelect(u->builder, over, last, f->depth, ""), u->i64, "");
	LLVMValueRef frames = area_field(f, area, AREA_FRAMES_AT);
	slot = LLVMBuildMul(u->builder, slot, unit_number(u, 2), "");
	LLVMValueRef at = LLVMBuildGEP2(u->builder, u->i64, frames, &slot, 1, ""), one = unit_number(u, 1);
	LLVMBuildStore(u->builder, descriptor, at);
	LLVMBuildStore(u->builder, frame_returns_to(u), LLVMBuildGEP2(u->builder, u->i64, at, &one, 1, ""));
	LLVMBuildStore(u->builder, LLVMBuildAdd(u->builder, f->depth, LLVMConstInt(u->i32, 1, 0), ""), depth_at);
}

void frame_pop(struct function *f)
{
	struct unit *u = f->unit;
	LLVMValueRef depth_at = area_field(f, load_area(f), AREA_DEPTH_AT);
	LLVMValueRef depth = LLVMBuildLoad2(u->builder, u->i32, depth_at, "");
	LLVMBuildStore(u->builder, LLVMBuildSub(u->builder, depth, LLVMConstInt(u->i32, 1, 0), ""), depth_at);
}

LLVMValueRef frame_land(struct function *f)
{
	struct unit *u = f->unit;
	LLVMValueRef depth = LLVMBuildAdd(u->builder, f->depth, LLVMConstInt(u->i32, 1, 0), "");
	LLVMBuildStore(u->builder, depth, area_field(f, load_area(f), AREA_DEPTH_AT));
	return depth;
}
