// The VM: runs the nodes of a planned graph in order.
//
// The first call, and every call whose inputs have other shapes, infers shapes, gives values memory (reused
// as soon as nothing needs it) and makes loop plans. While shapes stay, a call does none of that: it updates
// the addresses of views and jumps from kernel to kernel. Nodes whose output shapes depend on values infer
// them in every call, and only what follows from a changed shape is planned again.
#pragma once

#include "codegen/abi.h"
#include "ops/graph_plan.h"
#include "runtime/lazy_branches.h"
#include "runtime/memory.h"
#include "runtime/packed_loop.h"

#include <memory>
#include <string>
#include <vector>

namespace nodewise {

class Machine;
struct Step;

/// Runs a control node.
class ControlRunner {
public:
  virtual ~ControlRunner() = default;
  /// As a kernel: 0, or the machine has an error.
  virtual int32_t run(Machine& machine, Step& step) = 0;
  /// The machine of the inner graph; null where there is none.
  virtual Machine* inner() { return nullptr; }
};

/// A node as the machine runs it.
struct Step {
  int32_t node = 0;
  const PlannedNode* planned = nullptr;
  KernelFn kernel = nullptr;
  std::vector<Array*> in, out;
  std::vector<int64_t> plan;          ///< the kernel's loop plan
  std::unique_ptr<PackedLoop> packed; ///< where the kernel runs on copies of its inputs
  std::vector<ValueId> dying;         ///< values whose memory is free after this node
  std::vector<std::ptrdiff_t> moved;  ///< of a view's outputs: bytes from the start of input 0
  std::unique_ptr<ControlRunner> control;
  std::vector<int64_t> before; ///< scratch: output layouts before shape inference
  bool dynamic = false;        ///< shape inference in every call
  bool prepared = false;
  bool aliases = false;      ///< outputs are in an input's memory: addresses are updated in every call
  int64_t calls = 0, ns = 0; ///< with profiling
};

/// Is told of every node that runs, those of inner graphs included; for looking at values and for knowing
/// where a process died. Costs an indirect call a node while it is set.
class StepObserver {
public:
  virtual ~StepObserver() = default;
  virtual void before(const Step& step) = 0; ///< inputs are as the node will read them
  virtual void after(const Step& step) = 0;  ///< outputs are there; not called where the node failed
};

class Machine {
public:
  /// The plan outlives the machine; all its kernels are linked and no node is unsupported.
  explicit Machine(const GraphPlan& plan);
  ~Machine();
  Machine(const Machine&) = delete;
  Machine& operator=(const Machine&) = delete;

  size_t inputs() const { return m_plan.graph->inputs.size(); }
  size_t outputs() const { return m_plan.graph->outputs.size(); }

  /// Takes shape, strides and address of `array` (of the input's rank); the memory is read during run() only.
  void setInput(size_t k, const Array& array);
  /// Only the address of an input whose layout is as before.
  void moveInput(size_t k, std::byte* data) { m_inputs[k]->data = data; }
  /// One call. False: see error().
  bool run();
  /// Valid until the next run().
  const Array& output(size_t k) const { return *m_outputs[k]; }
  /// Why the last run() failed: type, message, node with op and shapes.
  const Error& error() const { return m_error; }

  /// An output that is written by its node into memory of its own, once: it can be given other memory.
  bool canPlaceOutput(size_t k) const;
  /// From the next run on output k is written there (C-contiguous, large enough); null: the machine's own
  /// memory again.
  void placeOutput(size_t k, std::byte* data);
  /// An output that is a value of its own: neither an input, nor a constant, nor a view of one, nor listed
  /// twice.
  bool ownsOutput(size_t k) const;

  void setProfiling(bool on);
  /// Of this machine and those of inner graphs; null: none. It outlives the runs.
  void setObserver(StepObserver* observer);
  const std::vector<Step>& steps() const { return m_steps; }
  const GraphPlan& plan() const { return m_plan; }
  int64_t bytes() const { return m_pool.bytes(); } ///< memory held for values

  // For control nodes.
  Context& context() { return m_context; }
  /// Makes `out` an owned C-contiguous array of this shape; returns its memory.
  std::byte* provide(Array* out, const int64_t* shape, int rank);
  /// Makes `out` what `from` is: same memory and layout.
  void alias(Array* out, const Array& from);
  /// Cuts rows off the end of axis 0.
  void shorten(Array* out, int64_t length);
  /// A copy of `from` in memory of out's own (or the object of other kinds).
  void copy(Array* out, const Array& from);

private:
  struct ValueState {
    int block = BlockPool::kNone;
    std::byte* placed = nullptr; ///< see placeOutput
    uint64_t changed = 0;        ///< the call in which its layout changed last
    bool constant = false;
  };

  int32_t step(Step& s);
  int32_t watchedStep(Step& s);
  int32_t prepare(Step& s);
  void refresh(Step& s);
  int32_t execute(Step& s);
  bool active(int32_t node) const;
  bool inputChanged(const Step& s) const;
  std::byte* memory(Array* out, int64_t bytes);
  void markChanged(Array* out);
  void fail(const Step& s, int32_t code);
  void forgetMemory();
  ValueState& stateOf(const Array* array) { return m_values[static_cast<size_t>(array - m_arrays.data())]; }

  const GraphPlan& m_plan;
  std::vector<Array> m_arrays;      ///< by value id
  std::vector<ValueState> m_values; ///< by value id
  std::vector<int64_t> m_dims;      ///< storage of all shapes and strides
  std::vector<Step> m_steps;
  std::vector<Guard> m_guards;
  std::vector<Array*> m_inputs, m_outputs;
  std::vector<ValueId> m_roots;
  BlockPool m_pool;
  Context m_context;
  Error m_error;
  uint64_t m_call = 0;
  bool m_changed = true;   ///< some layout changed in this call
  bool m_assigning = true; ///< this call gives out memory from the pool
  bool m_guarded = false;
  bool m_profiling = false;
  bool m_watched = false; ///< profiled or observed
  StepObserver* m_observer = nullptr;
};

/// C-contiguous byte strides of `array`'s shape.
void setContiguousStrides(Array& array);
/// Points `array` (with room for the rank) at a Data: its bytes, generator or object.
void bindData(Array& array, const Data& data);

std::unique_ptr<ControlRunner> makeControlRunner(const PlannedNode& node);

} // namespace nodewise
