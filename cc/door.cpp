// cc/door.cpp -- the C++ that LLVM demands: where clang finds our pass, and the few questions llvm-c cannot ask.
// Everything else of the plugin is C, behind instrument_module().
#include "llvm/Bitcode/BitcodeWriter.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Passes/PassPlugin.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
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
// Labels become numbers, wherever their addresses are kept.  A number that is no label's cannot come, but of a fault: then the program falls.
extern "C" void door_switch_for_goto(LLVMValueRef function, int falls) {
	auto *F = unwrap<Function>(function);
	LLVMContext &C = F->getContext();
	Type *Word = Type::getInt64Ty(C);
	SmallVector<IndirectBrInst *, 4> Jumps;
	DenseMap<BasicBlock *, ConstantInt *> Number;
	for (BasicBlock &B : *F)
		if (auto *Jump = dyn_cast<IndirectBrInst>(B.getTerminator()))
			Jumps.push_back(Jump);
	if (Jumps.empty())
		return;
	for (BasicBlock &B : *F)
		if (BlockAddress *Label = BlockAddress::lookup(&B)) {
			auto *N = cast<ConstantInt>(ConstantInt::get(Word, Number.size() + 1));
			Number[&B] = N;
			Label->replaceAllUsesWith(ConstantExpr::getIntToPtr(N, Label->getType()));
			Label->destroyConstant();
		}
	BasicBlock *Never = BasicBlock::Create(C, "", F);
	if (falls)
		CallInst::Create(Intrinsic::getDeclaration(F->getParent(), Intrinsic::trap), "", Never);
	new UnreachableInst(C, Never);
	for (IndirectBrInst *Jump : Jumps) {
		IRBuilder<> At(Jump);
		SwitchInst *Switch = At.CreateSwitch(At.CreatePtrToInt(Jump->getAddress(), Word), Never);
		SmallPtrSet<BasicBlock *, 16> Seen;
		for (BasicBlock *To : successors(Jump))
			if (Number.count(To) && Seen.insert(To).second)
				Switch->addCase(Number[To], To);
			else
				To->removePredecessor(Jump->getParent(), true);
		Jump->eraseFromParent();
	}
}
namespace {
// What is made meanwhile gets no name, globals aside.  Functions made so must stay as they are: a name given later may be there twice.
struct Namelessly {
	LLVMContext &C;
	bool Before;
	explicit Namelessly(LLVMContext &In) : C(In), Before(In.shouldDiscardValueNames()) { C.setDiscardValueNames(true); }
	~Namelessly() { C.setDiscardValueNames(Before); }
};
}
// Debug information is shared with the copy, not copied, until it is taken from there.
extern "C" LLVMModuleRef door_bare_copy(LLVMModuleRef module) {
	Module &M = *unwrap(module);
	ValueToValueMapTy Map;
	for (DICompileUnit *Unit : M.debug_compile_units())
		Map.MD()[Unit].reset(Unit);
	for (Function &F : M)
		if (DISubprogram *SP = F.getSubprogram())
			Map.MD()[SP].reset(SP);
	Namelessly While(M.getContext());
	std::unique_ptr<Module> Copy = CloneModule(M, Map);
	StripDebugInfo(*Copy);
	return wrap(Copy.release());
}
// Without the table of symbols, which is for linkers.
extern "C" LLVMMemoryBufferRef door_bitcode(LLVMModuleRef module) {
	SmallVector<char, 0> Bytes;
	BitcodeWriter Writer(Bytes);
	Writer.writeModule(*unwrap(module));
	Writer.writeStrtab();
	return wrap(MemoryBuffer::getMemBufferCopy(StringRef(Bytes.data(), Bytes.size())).release());
}
extern "C" LLVMValueRef door_copy_function(LLVMValueRef function, LLVMValueRef original, const char *suffix,
	void (*seen)(void *, LLVMValueRef, LLVMValueRef), void *with) {
	auto *F = unwrap<Function>(function), *Original = unwrap<Function>(original);
	ValueToValueMapTy Map;
	DISubprogram *SP = F->getSubprogram();
	if (SP && !F->hasFnAttribute(Attribute::OptimizeNone)) {        // no list of variables, none of calls
		SP = MDNode::replaceWithDistinct(SP->cloneWithFlags(SP->getFlags() & ~DINode::FlagAllCallsDescribed));
		SP->replaceRetainedNodes(MDTuple::get(F->getContext(), {}));
		Map.MD()[F->getSubprogram()].reset(SP);
	}
	Function *Copy = CloneFunction(F, Map);
	Copy->setName(Original->getName() + suffix);
	Copy->setVisibility(GlobalValue::DefaultVisibility);
	Copy->setLinkage(GlobalValue::InternalLinkage);
	Copy->setDSOLocal(true);
	Copy->setComdat(Original->getComdat());
	Copy->removeFnAttr(Attribute::AlwaysInline);
	Copy->addFnAttr(Attribute::NoInline);
	if (Copy->hasPrefixData())
		Copy->setPrefixData(nullptr);
	for (BasicBlock &B : *F)
		for (Instruction &I : B)
			if (Value *To = Map.lookup(&I))
				seen(with, wrap(&I), wrap(To));
	return wrap(Copy);
}
// LLVM 19 spoils the stack for structs by value, and beside va_start with AVX.
extern "C" int door_can_go_on(LLVMValueRef function) {
	auto *F = unwrap<Function>(function);
	return !F->isVarArg() && none_of(F->args(), [](Argument &A) { return A.hasByValAttr(); });
}
extern "C" void door_go_on_in(LLVMBasicBlockRef block, LLVMValueRef function) {
	BasicBlock *B = unwrap(block);
	Function *From = B->getParent(), *To = unwrap<Function>(function);
	SmallVector<Value *, 8> Args;
	SmallVector<AttributeSet, 8> Kinds;
	for (Argument &A : From->args()) {
		Args.push_back(&A);
		Kinds.push_back(From->getAttributes().getParamAttrs(A.getArgNo()));
	}
	CallInst *Call = CallInst::Create(To, Args, "", B);
	Call->setCallingConv(From->getCallingConv());
	Call->setAttributes(AttributeList::get(From->getContext(), AttributeSet(), From->getAttributes().getRetAttrs(), Kinds));
	Call->setTailCallKind(CallInst::TCK_MustTail);
	if (instrument_at_start())              // LLVM 19 makes a loop of `return f(n-1) + x` and adds x to what this call returns, which may not be
		From->addFnAttr("disable-tail-calls", "true");
	if (DISubprogram *SP = From->getSubprogram())
		Call->setDebugLoc(DILocation::get(From->getContext(), SP->getLine(), 0, SP));
	ReturnInst::Create(From->getContext(), Call->getType()->isVoidTy() ? nullptr : Call, B);
}
// Variables, and columns, which no debugger asks for; they take most of the room.
extern "C" void door_lines_only(LLVMValueRef function) {
	auto *F = unwrap<Function>(function);
	if (!F->getSubprogram() || F->hasFnAttribute(Attribute::OptimizeNone))
		return;
	for (BasicBlock &B : *F)
		for (Instruction &I : B) {
			I.dropDbgRecords();
			if (const DebugLoc &At = I.getDebugLoc())
				I.setDebugLoc(DILocation::get(F->getContext(), At.getLine(), 0, At.getScope(), At.getInlinedAt()));
		}
}
extern "C" const char *door_word_of(LLVMValueRef instruction) {
	return unwrap<Instruction>(instruction)->getOpcodeName();
}
extern "C" void door_put_in_front(LLVMValueRef function, LLVMValueRef bytes) {
	auto *F = unwrap<Function>(function);
	if (!F->hasLocalLinkage() || F->hasAddressTaken())
		F->setPrefixData(unwrap<Constant>(bytes));
}
extern "C" void door_take_from_loader(LLVMValueRef function) {
	auto *F = dyn_cast<Function>(unwrap(function));
	if (F && F->isDeclaration() && F->hasDefaultVisibility())
		F->setDSOLocal(false);
}
extern "C" void door_make_cold(LLVMValueRef function) {
	auto *F = unwrap<Function>(function);
	F->addFnAttr(Attribute::Cold);
	if (!F->hasFnAttribute(Attribute::OptimizeNone))
		F->addFnAttr(Attribute::OptimizeForSize);    // not MinSize: what it saves by push and pop of constants .eh_frame pays
}
extern "C" int door_is_dso_local(LLVMValueRef global) { return unwrap<GlobalValue>(global)->isDSOLocal(); }
extern "C" int door_touches_no_memory(LLVMValueRef call) {
	auto *C = unwrap<CallBase>(call);
	return C->doesNotAccessMemory() && C->doesNotThrow();
}
extern "C" const char *door_assembly(LLVMValueRef assembly, size_t *length) {
	auto *A = cast<InlineAsm>(unwrap(assembly));
	*length = A->getAsmString().size();
	return A->getAsmString().data();
}
extern "C" void door_set_incoming(LLVMValueRef phi, unsigned i, LLVMBasicBlockRef block) {
	unwrap<PHINode>(phi)->setIncomingBlock(i, unwrap(block));
}

// no_sanitize("thread") leaves nothing in a module unless clang's own ThreadSanitizer is on; the driver's macros (driver_add.c) make
// it a note beside the function, no_sanitize_thread an attribute nobody else uses.  Such a function and those it calls stay apart.
static void mark(Function &F) {
	F.removeFnAttr(Attribute::NoDuplicate);
	F.addFnAttr(SYNC_ONLY);
	if (!F.hasFnAttribute(Attribute::AlwaysInline))
		F.addFnAttr(Attribute::NoInline);
	for (BasicBlock &B : F)
		for (Instruction &I : B)
			if (auto *Call = dyn_cast<CallBase>(&I); Call && !Call->hasFnAttr(Attribute::AlwaysInline) && !isa<InlineAsm>(Call->getCalledOperand()))
				Call->addFnAttr(Attribute::NoInline);
}
static bool is_ours(Constant *Note) {
	auto *Text = dyn_cast<GlobalVariable>(Note->getOperand(1)->stripPointerCasts());
	auto *F = dyn_cast<Function>(Note->getOperand(0)->stripPointerCasts());
	auto *Bytes = Text && Text->hasInitializer() ? dyn_cast<ConstantDataSequential>(Text->getInitializer()) : nullptr;
	if (!Bytes || !Bytes->isString() || !Bytes->getAsString().starts_with(NO_SANITIZE_NOTE))
		return false;
	StringRef Words = Bytes->getAsString();
	if (F && !F->isDeclaration() && (Words.contains("\"thread\"") || Words.contains("\"all\"")))
		mark(*F);
	return true;
}
static void take_notes(Module &M) {
	GlobalVariable *Notes = M.getGlobalVariable("llvm.global.annotations");
	auto *List = Notes && Notes->hasInitializer() ? dyn_cast<ConstantArray>(Notes->getInitializer()) : nullptr;
	SmallVector<Constant *, 8> Others;
	for (Function &F : M)
		if (F.hasFnAttribute(Attribute::NoDuplicate) && !F.isDeclaration())
			mark(F);
	if (!List)
		return;
	for (Use &Note : List->operands())
		if (!is_ours(cast<Constant>(Note)))
			Others.push_back(cast<Constant>(Note));
	if (Others.size() == List->getNumOperands())
		return;
	auto *Type = ArrayType::get(List->getType()->getElementType(), Others.size());
	auto *Rest = Others.empty() ? nullptr : new GlobalVariable(M, Type, false, GlobalValue::AppendingLinkage, ConstantArray::get(Type, Others));
	if (Rest) {
		Rest->takeName(Notes);
		Rest->setSection(Notes->getSection());
	}
	Notes->eraseFromParent();
}

// An optimiser that knows of no other threads loads what a branch might not ask for: `if (ready) use(data)` reads data before it
// knows.  The source has no race there, so it is asked to leave that, as for ThreadSanitizer, until our turn comes.
static void no_loads_ahead(Module &M, bool Wanted) {
	for (Function &F : M) {
		if (F.isDeclaration())
			continue;
		if (Wanted)
			F.addFnAttr(Attribute::SanitizeThread);
		else
			F.removeFnAttr(Attribute::SanitizeThread);
	}
}

// Verification tasks say by its name that a function is one atomic section (but for the two functions that begin and end one).
static bool is_section(const Function &F) {
	StringRef Name = F.getName();
	return !F.isDeclaration() && Name.starts_with(ATOMIC_PREFIX) && Name != ATOMIC_PREFIX "begin" && Name != ATOMIC_PREFIX "end";
}
static void make_section(Function &F) {
	IRBuilder<> At(F.getContext());
	FunctionCallee Say = F.getParent()->getOrInsertFunction("raddle_say_atomic", At.getVoidTy(), At.getInt32Ty());
	DISubprogram *SP = F.getSubprogram();
	DebugLoc Line = SP ? DebugLoc(DILocation::get(F.getContext(), SP->getLine(), 0, SP)) : DebugLoc();
	for (BasicBlock &B : F) {
		if (!isa<ReturnInst>(B.getTerminator()) && !isa<ResumeInst>(B.getTerminator()))
			continue;
		At.SetInsertPoint(B.getTerminator());
		if (!B.getTerminator()->getDebugLoc())
			At.SetCurrentDebugLocation(Line);
		At.CreateCall(Say, At.getInt32(0));
	}
	At.SetInsertPoint(F.getEntryBlock().getFirstInsertionPt());
	At.SetCurrentDebugLocation(Line);
	At.CreateCall(Say, At.getInt32(1));
}
static void make_sections(Module &M) {
	SmallVector<Function *, 8> Sections;
	for (Function &F : M)
		if (is_section(F))
			Sections.push_back(&F);
	for (Function *F : Sections)
		make_section(*F);
}

namespace {
struct Notes : PassInfoMixin<Notes> {
	PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
		take_notes(M);
		make_sections(M);
		range_mark(wrap(&M));
		no_loads_ahead(M, true);
		return PreservedAnalyses::none();
	}
	static bool isRequired() { return true; }
};
struct Optimisable : PassInfoMixin<Optimisable> {
	PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
		for (Function &F : M)
			F.removeFnAttr(Attribute::OptimizeNone);
		return PreservedAnalyses::none();
	}
	static bool isRequired() { return true; }
};
struct Instrument : PassInfoMixin<Instrument> {
	PreservedAnalyses run(Module &M, ModuleAnalysisManager &) {
		no_loads_ahead(M, false);
		return instrument_module(wrap(&M)) ? PreservedAnalyses::none() : PreservedAnalyses::all();
	}
	static bool isRequired() { return true; }
};
void add(ModulePassManager &MPM) {
	if (instrument_full()) {                                        // values of local variables, whatever -O says
		MPM.addPass(Optimisable());
		MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
	}
	MPM.addPass(Instrument());
	MPM.addPass(createModuleToFunctionPassAdaptor(PromotePass()));
}
}

extern "C" LLVM_ATTRIBUTE_WEAK PassPluginLibraryInfo llvmGetPassPluginInfo() {
	return {LLVM_PLUGIN_API_VERSION, "raddle", "1", [](PassBuilder &PB) {
		PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { MPM.addPass(Notes()); });
		if (instrument_at_start())
			PB.registerPipelineStartEPCallback([](ModulePassManager &MPM, OptimizationLevel) { add(MPM); });
		else
			PB.registerOptimizerLastEPCallback([](ModulePassManager &MPM, OptimizationLevel) { add(MPM); });
	}};
}
