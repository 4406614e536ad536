#include "codegen/reduction_loop.h"

#include "codegen/loop_plan.h"

#include <algorithm>

namespace nodewise::codegen {

using llvm::Value;

namespace {

/// Elements of a block of kept columns: 16 kB of doubles, within the first-level cache beside the rows.
constexpr int64_t kBlock = 2048;

/// Machine vectors a turn. Two additions begin in each cycle and take four, so eight could be in flight; but
/// loads limit sums before that, and eight compile 13% longer.
constexpr unsigned kUnroll = 4;

// Rows of at least kLarge elements do not fit into the second-level cache. The hardware does not read on
// across pages of 4 kB by itself: asking for lines two pages ahead makes sums of 10^7 doubles 5% faster.
// Within the cache it would make them slower.
constexpr int64_t kLarge = int64_t{1} << 19, kAhead = 8192, kCacheLine = 64;

class Writer {
public:
  Writer(Emitter& emitter, const ReductionShape& shape, const Reducer& reducer)
      : e(emitter), b(emitter.b), m_shape(shape), m_reducer(reducer), m_lanes(vectorLanes()),
        m_masks(m_lanes && e.target().masks && !isComplex(shape.in) && !isComplex(shape.accumulator)) {}

  void write() {
    namespace rp = reduction_plan;
    m_plan = e.planPointer();
    m_vector = e.planWord(m_plan, rp::kVector);
    m_length = e.planWord(m_plan, rp::kLength);
    m_inStride = e.planWord(m_plan, rp::kInStride);
    m_outStride = e.planWord(m_plan, rp::kOutStride);
    m_empty = b.CreateICmpEQ(e.planWord(m_plan, rp::kReduced), b.getInt64(0));
    m_reducedOdometer = e.planWord(m_plan, rp::kReducedOdometer);
    m_slots = e.scalars.entryAlloca(b.getPtrTy(), 2, "kept");
    m_inner = e.scalars.entryAlloca(b.getPtrTy(), 1, "reduced");
    b.CreateStore(e.dataOf(e.inArray(0)), m_slots);
    b.CreateStore(e.dataOf(e.outArray(0)), b.CreateConstGEP1_64(b.getPtrTy(), m_slots, 1));
    // Most reductions of models are over all axes: without the other half they compile in half the time.
    if (m_shape.whole) {
      reduceElement();
      e.finish();
      return;
    }
    Value* keptInner = b.CreateICmpEQ(e.planWord(m_plan, rp::kMode), b.getInt64(rp::kModeKept));

    auto* columns = e.block("columns");
    auto* elements = e.block("elements");
    auto* end = e.block("end");
    b.CreateCondBr(keptInner, columns, elements);
    b.SetInsertPoint(columns);
    walkKept([&] { reduceColumns(); });
    b.CreateBr(end);
    b.SetInsertPoint(elements);
    walkKept([&] { reduceElement(); });
    b.CreateBr(end);
    b.SetInsertPoint(end);
    e.finish();
  }

private:
  unsigned vectorLanes() const {
    if (m_shape.lanewise || e.target().vectorBytes == 0) return 0;
    const int64_t widest =
        std::max(dtypeSize(realPart(m_shape.in)), dtypeSize(realPart(m_shape.accumulator)));
    return static_cast<unsigned>(e.target().vectorBytes / widest * kUnroll);
  }

  void walkKept(const std::function<void()>& body) {
    e.walk(m_plan, b.getInt64(reduction_plan::kKeptOdometer), m_slots, 2, body);
  }

  /// A place for an accumulator with the current lanes.
  struct Place {
    Value *re, *im;
  };
  Place place(const char* name) {
    llvm::Type* t = e.scalars.type(m_shape.accumulator);
    return {e.scalars.entryAlloca(t, 1, name),
            isComplex(m_shape.accumulator) ? e.scalars.entryAlloca(t, 1, name) : nullptr};
  }
  void put(Place p, ScalarValue v) {
    b.CreateStore(v.re, p.re);
    if (v.im) b.CreateStore(v.im, p.im);
  }
  ScalarValue get(Place p) {
    llvm::Type* t = e.scalars.type(m_shape.accumulator);
    return {m_shape.accumulator, b.CreateLoad(t, p.re), p.im ? b.CreateLoad(t, p.im) : nullptr};
  }
  ScalarValue element(Value* address) {
    return e.scalars.cast(e.load(address, m_shape.in), m_shape.accumulator);
  }
  void combineInto(Place p, Value* address) {
    put(p, m_reducer.combine(e.scalars, get(p), element(address)));
  }

  ScalarValue orNothing(ScalarValue v) {
    if (!m_reducer.overNothing) return v;
    const ScalarValue nothing = m_reducer.overNothing(e.scalars);
    return {v.dtype, b.CreateSelect(m_empty, nothing.re, v.re),
            v.im ? b.CreateSelect(m_empty, nothing.im, v.im) : nullptr};
  }

  Value* wholeVectors(Value* length) {
    Value* whole = b.CreateAnd(length, b.getInt64(~static_cast<uint64_t>(m_lanes - 1)));
    return b.CreateSelect(b.CreateICmpNE(m_vector, b.getInt64(0)), whole, b.getInt64(0));
  }
  Value* packed(Value* base, Value* i, DType dtype) {
    return e.bytesAt(base, b.CreateNSWMul(i, b.getInt64(static_cast<uint64_t>(dtypeSize(dtype)))));
  }

  void addOneByOne(Place sum, Value* base, Value* from, Value* to) {
    e.loop(from, to, 1, "strided",
           [&](Value* i) { combineInto(sum, e.bytesAt(base, b.CreateMul(i, m_inStride))); });
  }

  /// One machine vector at a time, the last with a mask: a row's first elements and its last ones.
  void addShort(Place part, Value* base, Value* from, Value* to) {
    const unsigned lanes = m_lanes / kUnroll;
    e.loop(from, to, lanes, "short", [&](Value* i) {
      e.scalars.setLanes(lanes);
      Value* left = b.CreateSub(to, i);
      Value* all = b.getInt64(lanes);
      e.masked(b.CreateSelect(b.CreateICmpULT(left, all), left, all), 0, [&] {
        const ScalarValue sum = get(part);
        const ScalarValue next = m_reducer.combine(e.scalars, sum, element(packed(base, i, m_shape.in)));
        put(part, {next.dtype, b.CreateSelect(e.mask(), next.re, sum.re), nullptr});
      });
      e.scalars.setLanes(1);
    });
  }

  /// Number of elements before the first one at the alignment of a machine vector: what lies side by side
  /// otherwise would be read across cache lines (sums of 1,000 to 100,000 doubles take half as long again).
  /// All of them where vectors cannot be used, none where the row is short.
  Value* unalignedLead(Value* base) {
    const int64_t vectorBytes = e.target().vectorBytes;
    Value* address = b.CreatePtrToInt(base, b.getInt64Ty());
    Value* bytes = b.CreateAnd(b.CreateNeg(address), b.getInt64(static_cast<uint64_t>(vectorBytes - 1)));
    Value* lead = b.CreateUDiv(bytes, b.getInt64(static_cast<uint64_t>(dtypeSize(m_shape.in))));
    lead = b.CreateSelect(b.CreateICmpSGE(m_length, b.getInt64(4 * int64_t{m_lanes})), lead, b.getInt64(0));
    return b.CreateSelect(b.CreateICmpNE(m_vector, b.getInt64(0)), lead, m_length);
  }

  /// Asks for the lines that a later turn of the vector loop reads.
  void prefetchAhead(Value* at) {
    const int64_t bytes = int64_t{m_lanes} * dtypeSize(m_shape.in);
    for (int64_t line = 0; line < bytes; line += kCacheLine)
      b.CreateIntrinsic(llvm::Intrinsic::prefetch, {b.getPtrTy()},
                        {e.bytesAt(at, b.getInt64(static_cast<uint64_t>(kAhead + line))), b.getInt32(0),
                         b.getInt32(3), b.getInt32(1)});
  }

  /// One output element: its inner axis is reduced.
  void reduceElement() {
    Place vector{}, part{}, single = place("sum");
    put(single, m_reducer.start(e.scalars));
    if (m_lanes) {
      e.scalars.setLanes(m_lanes);
      vector = place("sums");
      put(vector, m_reducer.start(e.scalars));
      if (m_masks) {
        e.scalars.setLanes(m_lanes / kUnroll);
        part = place("part");
        put(part, m_reducer.start(e.scalars));
      }
      e.scalars.setLanes(1);
    }
    b.CreateStore(e.slot(m_slots, 0), m_inner);
    e.walk(m_plan, m_reducedOdometer, m_inner, 1, [&] {
      Value* base = e.slot(m_inner, 0);
      if (!m_lanes) {
        addOneByOne(single, base, b.getInt64(0), m_length);
        return;
      }
      // The first pass ends at the first aligned element, the second adds vectors and what is left behind
      // them: two passes, so that the loop over single elements is there once.
      Value* lead = unalignedLead(base);
      Value* behind = b.CreateAdd(lead, wholeVectors(b.CreateSub(m_length, lead)));
      Value* large = b.CreateICmpSGE(m_length, b.getInt64(kLarge));
      e.loop(b.getInt64(0), b.getInt64(2), 1, "passes", [&](Value* pass) {
        Value* first = b.CreateICmpEQ(pass, b.getInt64(0));
        Value* from = b.CreateSelect(first, b.getInt64(0), lead);
        Value* vectorsEnd = b.CreateSelect(first, b.getInt64(0), behind);
        e.loop(from, vectorsEnd, m_lanes, "vector", [&](Value* i) {
          Value* at = packed(base, i, m_shape.in);
          e.onlyIf(large, "ahead", [&] { prefetchAhead(at); });
          e.scalars.setLanes(m_lanes);
          combineInto(vector, at);
          e.scalars.setLanes(1);
        });
        Value* end = b.CreateSelect(first, lead, m_length);
        if (m_masks) {
          Value* shortEnd = b.CreateSelect(b.CreateICmpEQ(m_vector, b.getInt64(0)), vectorsEnd, end);
          addShort(part, base, vectorsEnd, shortEnd);
          addOneByOne(single, base, shortEnd, end);
        } else {
          addOneByOne(single, base, vectorsEnd, end);
        }
      });
    });
    if (m_lanes) put(single, m_reducer.combine(e.scalars, get(single), folded(vector, m_lanes)));
    if (m_masks) put(single, m_reducer.combine(e.scalars, get(single), folded(part, m_lanes / kUnroll)));
    e.store(e.slot(m_slots, 1), e.scalars.cast(orNothing(get(single)), m_shape.out));
  }

  /// Halves combined until one lane is left.
  ScalarValue folded(Place vector, unsigned lanes) {
    e.scalars.setLanes(lanes);
    ScalarValue v = get(vector);
    for (unsigned half = lanes / 2; half >= 1; half /= 2) {
      std::vector<int> low, high;
      for (unsigned i = 0; i < half; ++i) {
        low.push_back(static_cast<int>(i));
        high.push_back(static_cast<int>(i + half));
      }
      auto cut = [&](Value* x, const std::vector<int>& mask) {
        return x ? b.CreateShuffleVector(x, mask) : nullptr;
      };
      ScalarValue x{v.dtype, cut(v.re, low), cut(v.im, low)}, y{v.dtype, cut(v.re, high), cut(v.im, high)};
      e.scalars.setLanes(half);
      if (half == 1) {
        auto first = [&](Value* value) {
          return value ? b.CreateExtractElement(value, uint64_t{0}) : nullptr;
        };
        x = {v.dtype, first(x.re), first(x.im)};
        y = {v.dtype, first(y.re), first(y.im)};
      }
      v = m_reducer.combine(e.scalars, x, y);
    }
    e.scalars.setLanes(1);
    return v;
  }

  /// A run of output elements: their axis is the inner one, rows are added to a block of accumulators.
  void reduceColumns() {
    const DType acc = m_shape.accumulator;
    llvm::Type* byte = b.getInt8Ty();
    auto* buffer = e.scalars.entryAlloca(byte, static_cast<unsigned>(kBlock * dtypeSize(acc)), "block");
    buffer->setAlignment(llvm::Align(64));
    e.loop(b.getInt64(0), m_length, kBlock, "blocks", [&](Value* from) {
      Value* left = b.CreateSub(m_length, from);
      Value* count = b.CreateSelect(b.CreateICmpSLT(left, b.getInt64(kBlock)), left, b.getInt64(kBlock));
      e.loop(b.getInt64(0), count, 1, "clear",
             [&](Value* j) { e.store(packed(buffer, j, acc), m_reducer.start(e.scalars)); });
      b.CreateStore(e.bytesAt(e.slot(m_slots, 0), b.CreateMul(from, m_inStride)), m_inner);
      e.walk(m_plan, m_reducedOdometer, m_inner, 1, [&] {
        Value* row = e.slot(m_inner, 0);
        Value* done = b.getInt64(0);
        // A mask has at most 64 lanes.
        const unsigned lanes = m_masks ? std::min(m_lanes, 64U) : m_lanes;
        // The block has room for whole vectors: only the row is read with a mask. (A masked store would keep
        // the next row's load waiting until it is in the cache: 31 x 31 doubles took 320 ns, not 270.)
        auto addVectors = [&](Value* j, Value* rest) {
          e.scalars.setLanes(lanes);
          Value* at = packed(buffer, j, acc);
          ScalarValue x;
          auto read = [&] { x = element(packed(row, j, m_shape.in)); };
          if (rest)
            e.masked(rest, 0, read);
          else
            read();
          e.store(at, m_reducer.combine(e.scalars, e.load(at, acc), x));
          e.scalars.setLanes(1);
        };
        if (m_masks) {
          done = b.CreateSelect(b.CreateICmpEQ(m_vector, b.getInt64(0)), b.getInt64(0), count);
          e.loop(b.getInt64(0), done, lanes, "vector", [&](Value* j) {
            Value* rest = b.CreateSub(done, j);
            Value* all = b.getInt64(lanes);
            addVectors(j, b.CreateSelect(b.CreateICmpULT(rest, all), rest, all));
          });
        } else if (lanes) {
          done = wholeVectors(count);
          e.loop(b.getInt64(0), done, lanes, "vector", [&](Value* j) { addVectors(j, nullptr); });
        }
        e.loop(done, count, 1, "strided", [&](Value* j) {
          Value* at = packed(buffer, j, acc);
          e.store(at, m_reducer.combine(e.scalars, e.load(at, acc),
                                        element(e.bytesAt(row, b.CreateMul(j, m_inStride)))));
        });
      });
      Value* out = e.bytesAt(e.slot(m_slots, 1), b.CreateMul(from, m_outStride));
      e.loop(b.getInt64(0), count, 1, "write", [&](Value* j) {
        e.store(e.bytesAt(out, b.CreateMul(j, m_outStride)),
                e.scalars.cast(orNothing(e.load(packed(buffer, j, acc), acc)), m_shape.out));
      });
    });
  }

  Emitter& e;
  llvm::IRBuilder<>& b;
  const ReductionShape& m_shape;
  const Reducer& m_reducer;
  unsigned m_lanes;
  bool m_masks; ///< vectors of some lanes only are as quick as whole ones
  Value *m_plan = nullptr, *m_vector = nullptr, *m_length = nullptr, *m_inStride = nullptr,
        *m_outStride = nullptr, *m_empty = nullptr, *m_reducedOdometer = nullptr, *m_slots = nullptr,
        *m_inner = nullptr;
};

} // namespace

void emitReduction(Emitter& emitter, const ReductionShape& shape, const Reducer& reducer) {
  Writer(emitter, shape, reducer).write();
}

} // namespace nodewise::codegen
