/* model/llvm.h -- libLLVM, opened when bitcode is to be read and not before: raddle starts without its hundred megabytes, and
 * runs where it is not installed.  The functions are called through a table, LL(LLVMGetOperand)(value, 0). */
#ifndef RADDLE_MODEL_LLVM_H
#define RADDLE_MODEL_LLVM_H

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include "base/err.h"

#define LLVM_FUNCTIONS(F) \
	F(LLVMContextCreate) F(LLVMCreateMemoryBufferWithMemoryRange) F(LLVMParseBitcodeInContext2) F(LLVMDisposeModule) \
	F(LLVMContextSetDiagnosticHandler) F(LLVMGetModuleDataLayout) F(LLVMGetSourceFileName) F(LLVMABISizeOfType) F(LLVMStoreSizeOfType) \
	F(LLVMOffsetOfElement) F(LLVMSizeOfTypeInBits) F(LLVMGetFirstFunction) F(LLVMGetNextFunction) F(LLVMGetFirstGlobal) \
	F(LLVMGetNextGlobal) F(LLVMGetFirstGlobalAlias) F(LLVMGetNextGlobalAlias) F(LLVMAliasGetAliasee) F(LLVMGetFirstBasicBlock) \
	F(LLVMGetNextBasicBlock) F(LLVMGetFirstInstruction) F(LLVMGetNextInstruction) F(LLVMGetInstructionOpcode) \
	F(LLVMGetConstOpcode) F(LLVMGetValueName2) F(LLVMGetLinkage) F(LLVMIsDeclaration) F(LLVMGlobalGetValueType) \
	F(LLVMGetInitializer) F(LLVMIsGlobalConstant) F(LLVMIsThreadLocal) F(LLVMCountParams) F(LLVMGetParam) F(LLVMTypeOf) \
	F(LLVMGetTypeKind) F(LLVMGetElementType) F(LLVMGetArrayLength2) F(LLVMGetVectorSize) F(LLVMCountStructElementTypes) \
	F(LLVMStructGetTypeAtIndex) F(LLVMTypeIsSized) F(LLVMIsFunctionVarArg) F(LLVMGetNumOperands) F(LLVMGetOperand) F(LLVMIsConstant) \
	F(LLVMIsAConstantInt) F(LLVMIsAConstantExpr) F(LLVMIsAFunction) \
	F(LLVMIsAGlobalVariable) F(LLVMIsAGlobalIFunc) F(LLVMIsAConstantArray) F(LLVMIsAConstantStruct) \
	F(LLVMIsAConstantVector) F(LLVMIsABasicBlock) F(LLVMIsAInlineAsm) F(LLVMConstIntGetSExtValue) F(LLVMGetIntTypeWidth) \
	F(LLVMGetGEPSourceElementType) F(LLVMGetAllocatedType) F(LLVMGetNumArgOperands) F(LLVMGetCalledValue) F(LLVMIsConditional) \
	F(LLVMGetNumSuccessors) F(LLVMGetSuccessor) F(LLVMCountIncoming) F(LLVMGetIncomingValue) F(LLVMGetOrdering) F(LLVMGetVolatile) \
	F(LLVMGetIntrinsicID) F(LLVMGetEnumAttributeKindForName) F(LLVMGetEnumAttributeAtIndex) F(LLVMGetStringAttributeAtIndex) F(LLVMGetCallSiteEnumAttribute) \
	F(LLVMIsAInstruction) F(LLVMIsAArgument) F(LLVMGetICmpPredicate) F(LLVMGetAtomicRMWBinOp) F(LLVMIsAConstantPointerNull) \
	F(LLVMIsNull) F(LLVMGetIncomingBlock) F(LLVMGetBasicBlockTerminator) \
	F(LLVMVerifyModule) F(LLVMGetMDKindIDInContext) F(LLVMSetMetadata) F(LLVMGetMetadata) F(LLVMValueAsMetadata) F(LLVMMetadataAsValue) F(LLVMMDNodeInContext2) \
	F(LLVMGetMDNodeNumOperands) F(LLVMGetMDString) F(LLVMGetMDNodeOperands) F(LLVMConstInt) F(LLVMInt32TypeInContext) F(LLVMGetFirstUse) F(LLVMGetNextUse) F(LLVMGetUser) \
	F(LLVMCreateBuilderInContext) F(LLVMDisposeBuilder) F(LLVMPositionBuilderBefore) F(LLVMBuildFreeze) F(LLVMInstructionEraseFromParent) F(LLVMBuildStore) F(LLVMGetUndef) \
	F(LLVMAddAttributeAtIndex) F(LLVMRemoveEnumAttributeAtIndex) F(LLVMCreateEnumAttribute) F(LLVMCreatePassBuilderOptions) \
	F(LLVMDisposePassBuilderOptions) F(LLVMRunPasses) F(LLVMConsumeError)

struct llvm {
#define F(name) __typeof__(&name) name##_;
	LLVM_FUNCTIONS(F)
#undef F
};
extern struct llvm llvm;
#define LL(name) llvm.name##_

int llvm_open(struct err *why);                 /* 0; or -1 and why: it is not installed */

#endif
