// cc/door.cpp -- the C++ that LLVM demands: where clang finds our pass, and the few questions llvm-c cannot ask.
// Everything else of the plugin is C, behind instrument_module().
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Mem2Reg.h"
#include "cc/door.h"
using namespace llvm;

extern "C" LLVMBasicBlockRef door_split_before(LLVMValueRef inst) {
	auto *I = unwrap<Instruction>(inst);
	return wrap(I->getParent()->splitBasicBlock(I));
}
extern "C" LLVMBasicBlockRef door_split_edge(LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
	return wrap(SplitEdge(unwrap(from), unwrap(to)));
}
extern "C" void door_return_at_once(LLVMValueRef ret, LLVMBasicBlockRef from) {
	auto *R = unwrap<ReturnInst>(ret);
	FoldReturnIntoUncondBranch(R, R->getParent(), unwrap(from));
}
extern "C" int door_is_dso_local(LLVMValueRef global) { return unwrap<GlobalValue>(global)->isDSOLocal(); }
extern "C" int door_touches_no_memory(LLVMValueRef call) {
	auto *C = unwrap<CallBase>(call);
	return C->doesNotAccessMemory() && C->doesNotThrow();
}
extern "C" void door_set_incoming(LLVMValueRef phi, unsigned i, LLVMBasicBlockRef block) {
	unwrap<PHINode>(phi)->setIncomingBlock(i, unwrap(block));
}
extern "C" void door_keep_lines_only(LLVMModuleRef module) { stripNonLineTableDebugInfo(*unwrap(module)); }

namespace {
struct Instrument : PassInfoMixin<Instrument> {
	PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
		return instrument_module(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired() { return true; }
};
void add(ModulePassManager &MPM) {
	MPM.addPass(Instrument());
	MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
	return {LLVM_PLUGIN_API_VERSION, "raddle", "1", [](PassBuilder &PB) {
		if (instrument_at_start())
			PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { add(MPM); });
		else
			PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel) { add(MPM); });
	}};
}
