#include "ops/contiguous_input.h"
#include "ops/families.h"
#include "ops/params.h"

#include "numeric/element.h"
#include "numeric/index_walk.h"
#include "numeric/sorting.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace nodewise {

namespace {

Result<void> checkOutInt64(const NodeView& node, size_t k, int rank) {
  NW_CHECK(checkOutTensor(node, k, rank));
  if (node.out(k).dtype == DType::Int64) return {};
  return node.error(fmt::format("output {} has to be int64, but is {}", k, shortText(node.out(k))));
}

/// x, axis -> output of x's rank. Whether `kind` asks for a stable sort.
Result<bool> checkSort(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkTensor(node, 0));
  NW_CHECK(checkIndexScalar(node, 1));
  NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  NW_TRY(const std::string kind,
         choiceParam(node, "kind", {"quicksort", "mergesort", "heapsort", "stable"}, "quicksort"));
  return kind == "stable" || kind == "mergesort";
}

int32_t shapeOfFirst(Array* const* in, Array* const* out, Context&) {
  shapeLike(*in[0], *out[0]);
  return 0;
}

/// One line of an array as a one-dimensional operand.
void copyLine(std::byte* to, int64_t toStride, const std::byte* from, int64_t fromStride, int64_t n,
              DType dtype) {
  assign({to, &toStride, dtype}, {from, &fromStride, dtype}, &n, 1);
}

int32_t runSort(bool stable, Array* const* in, Array* const* out, Context& context) {
  Array& z = *out[0];
  int64_t axis = in[1]->toInt();
  if (!normalizeAxis(axis, z.rank, context)) return 1;
  assign({z.data, z.strides, z.dtype}, {in[0]->data, in[0]->strides, in[0]->dtype}, z.shape, z.rank);
  const int64_t n = z.shape[axis], stride = z.strides[axis], size = dtypeSize(z.dtype);
  std::vector<std::byte> line(stride == size ? 0 : static_cast<size_t>(n * size));
  forEachLine<1>(z.shape, z.rank, static_cast<int>(axis), {z.strides}, [&](const auto& offsets) {
    std::byte* first = z.data + offsets[0];
    if (stride == size) return sortElements(z.dtype, first, n, stable);
    copyLine(line.data(), size, first, stride, n, z.dtype);
    sortElements(z.dtype, line.data(), n, stable);
    copyLine(first, stride, line.data(), size, n, z.dtype);
  });
  return 0;
}

Result<Lowered> lowerSort(const NodeView& node) {
  NW_TRY(const bool stable, checkSort(node));
  return Lowered::prebuilt(shapeOfFirst, [stable](Array* const* in, Array* const* out, Context& context) {
    return runSort(stable, in, out, context);
  });
}

int32_t runArgsort(Array* const* in, Array* const* out, Context& context) {
  const Array& x = *in[0];
  int64_t axis = in[1]->toInt();
  if (!normalizeAxis(axis, x.rank, context)) return 1;
  const int64_t n = x.shape[axis], stride = x.strides[axis], size = dtypeSize(x.dtype);
  const int64_t step = out[0]->strides[axis] / dtypeSize(DType::Int64);
  std::vector<std::byte> line(stride == size ? 0 : static_cast<size_t>(n * size));
  std::vector<int64_t> order(step == 1 ? 0 : static_cast<size_t>(n));
  forEachLine<2>(x.shape, x.rank, static_cast<int>(axis), {x.strides, out[0]->strides},
                 [&](const auto& offsets) {
                   const std::byte* first = x.data + offsets[0];
                   if (stride != size) {
                     copyLine(line.data(), size, first, stride, n, x.dtype);
                     first = line.data();
                   }
                   auto* to = reinterpret_cast<int64_t*>(out[0]->data + offsets[1]);
                   if (step == 1) return argsortElements(x.dtype, first, n, to);
                   argsortElements(x.dtype, first, n, order.data());
                   for (int64_t i = 0; i < n; ++i) to[i * step] = order[static_cast<size_t>(i)];
                 });
  return 0;
}

Result<Lowered> lowerArgsort(const NodeView& node) {
  NW_CHECK(checkSort(node));
  NW_CHECK(checkOutInt64(node, 0, node.in(0).rank()));
  return Lowered::prebuilt(shapeOfFirst, runArgsort);
}

/// x in the order that `sorter` gives.
int32_t applySorter(const ContiguousInput& x, DType dtype, const Array& sorter,
                    std::vector<std::byte>& sorted, Context& context) {
  if (sorter.size() != x.size())
    return context.fail(
        "ValueError", fmt::format("the sorter has {} elements, but the vector {}", sorter.size(), x.size()));
  const ContiguousInput order(sorter, DType::Int64);
  const auto size = static_cast<size_t>(dtypeSize(dtype));
  sorted.resize(static_cast<size_t>(x.size()) * size);
  for (int64_t i = 0; i < x.size(); ++i) {
    const int64_t from = order.as<int64_t>()[i];
    if (from < 0 || from >= x.size())
      return context.fail("ValueError", fmt::format("sorter[{}] is {}, outside the vector of {} elements", i,
                                                    from, x.size()));
    std::memcpy(sorted.data() + static_cast<size_t>(i) * size, x.data() + static_cast<size_t>(from) * size,
                size);
  }
  return 0;
}

Result<Lowered> lowerSearchsorted(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 3, 1, 1));
  NW_CHECK(checkTensor(node, 0, 1));
  NW_CHECK(checkTensor(node, 1));
  if (node.inputs() == 3) {
    NW_CHECK(checkTensor(node, 2, 1));
    if (!isIntegral(node.in(2).dtype)) return node.error("input 2, the sorter, has to be of integers");
  }
  NW_CHECK(checkOutInt64(node, 0, node.in(1).rank()));
  NW_TRY(const std::string side, choiceParam(node, "side", {"left", "right"}, "left"));
  const DType common = promote(node.in(0).dtype, node.in(1).dtype);
  return Lowered::prebuilt(
      [](Array* const* in, Array* const* out, Context&) {
        shapeLike(*in[1], *out[0]);
        return 0;
      },
      [common, right = side == "right", sorter = node.inputs() == 3](Array* const* in, Array* const* out,
                                                                     Context& context) {
        const ContiguousInput x(*in[0], common), v(*in[1], common);
        std::vector<std::byte> sorted;
        if (sorter)
          if (const int32_t code = applySorter(x, common, *in[2], sorted, context)) return code;
        countBefore(common, sorter ? sorted.data() : x.data(), x.size(), v.data(), v.size(), right,
                    out[0]->as<int64_t>());
        return 0;
      });
}

/// What `Unique` was asked for, and how its input is cut into the things to be told apart.
struct UniqueParams {
  bool index, inverse, counts;
  int axis; ///< -1: single elements
};

/// x's slices along the axis, one after the other.
struct Slices {
  std::vector<std::byte> bytes;
  std::vector<int64_t> shape; ///< of x with the axis moved to the front
  int64_t count, length;
};

Slices cutSlices(const Array& x, DType dtype, int axis) {
  Slices slices{{}, {x.shape[axis]}, x.shape[axis], 1};
  std::vector<int64_t> from{x.strides[axis]}, to(static_cast<size_t>(x.rank));
  for (int i = 0; i < x.rank; ++i) {
    if (i == axis) continue;
    slices.shape.push_back(x.shape[i]);
    slices.length *= x.shape[i];
    from.push_back(x.strides[i]);
  }
  slices.bytes.resize(static_cast<size_t>(slices.count * slices.length * dtypeSize(dtype)));
  contiguousStrides(slices.shape.data(), x.rank, dtypeSize(dtype), to.data());
  assign({slices.bytes.data(), to.data(), dtype}, {x.data, from.data(), x.dtype}, slices.shape.data(),
         x.rank);
  return slices;
}

/// The order of the things, and where in it each run of equal ones starts, with the end of the last.
struct Runs {
  std::vector<int64_t> order, starts;
  int64_t count() const { return static_cast<int64_t>(starts.size()) - 1; }
};

void closeRuns(Runs& runs, int64_t count) {
  runs.starts[static_cast<size_t>(count)] = static_cast<int64_t>(runs.order.size());
  runs.starts.resize(static_cast<size_t>(count) + 1);
}

/// Outputs 1 and on. The sorts are stable, so the first of a run is the first in the input.
void writeUniqueExtras(const UniqueParams& params, const Runs& runs, Context& context) {
  int k = 0;
  const int64_t distinct = runs.count(), all = static_cast<int64_t>(runs.order.size());
  const auto vector = [&](int64_t n) { return reinterpret_cast<int64_t*>(context.allocate(++k, &n, 1)); };
  if (params.index) {
    int64_t* first = vector(distinct);
    for (int64_t r = 0; r < distinct; ++r)
      first[r] = runs.order[static_cast<size_t>(runs.starts[static_cast<size_t>(r)])];
  }
  if (params.inverse) {
    int64_t* inverse = vector(all);
    for (int64_t r = 0; r < distinct; ++r)
      for (int64_t i = runs.starts[static_cast<size_t>(r)]; i < runs.starts[static_cast<size_t>(r) + 1]; ++i)
        inverse[runs.order[static_cast<size_t>(i)]] = r;
  }
  if (params.counts) {
    int64_t* counts = vector(distinct);
    for (int64_t r = 0; r < distinct; ++r)
      counts[r] = runs.starts[static_cast<size_t>(r) + 1] - runs.starts[static_cast<size_t>(r)];
  }
}

int32_t runUniqueElements(const UniqueParams& params, const Array& x, const Array& z, Context& context) {
  const ContiguousInput elements(x, z.dtype);
  const int64_t n = elements.size();
  const auto size = static_cast<size_t>(dtypeSize(z.dtype));
  Runs runs{std::vector<int64_t>(static_cast<size_t>(n)), std::vector<int64_t>(static_cast<size_t>(n) + 1)};
  argsortElements(z.dtype, elements.data(), n, runs.order.data());
  closeRuns(runs, findRuns(z.dtype, elements.data(), runs.order.data(), n, runs.starts.data()));
  const int64_t distinct = runs.count();
  std::byte* to = context.allocate(0, &distinct, 1);
  for (int64_t r = 0; r < distinct; ++r)
    std::memcpy(
        to + static_cast<size_t>(r) * size,
        elements.data() +
            static_cast<size_t>(runs.order[static_cast<size_t>(runs.starts[static_cast<size_t>(r)])]) * size,
        size);
  writeUniqueExtras(params, runs, context);
  return 0;
}

int32_t runUniqueSlices(const UniqueParams& params, const Array& x, const Array& z, Context& context) {
  const Slices slices = cutSlices(x, z.dtype, params.axis);
  Runs runs{std::vector<int64_t>(static_cast<size_t>(slices.count)),
            std::vector<int64_t>(static_cast<size_t>(slices.count) + 1)};
  argsortSlices(z.dtype, slices.bytes.data(), slices.count, slices.length, runs.order.data());
  closeRuns(runs, findSliceRuns(z.dtype, slices.bytes.data(), slices.length, runs.order.data(), slices.count,
                                runs.starts.data()));
  std::vector<int64_t> shape(x.shape, x.shape + x.rank);
  shape[static_cast<size_t>(params.axis)] = runs.count();
  std::byte* to = context.allocate(0, shape.data(), x.rank);
  const int64_t size = dtypeSize(z.dtype);
  std::vector<int64_t> from(slices.shape.size()), place(shape.size());
  contiguousStrides(slices.shape.data(), x.rank, size, from.data());
  contiguousStrides(shape.data(), x.rank, size, place.data());
  const int64_t step = place[static_cast<size_t>(params.axis)];
  std::rotate(place.begin(), place.begin() + params.axis, place.begin() + params.axis + 1);
  for (int64_t r = 0; r < runs.count(); ++r) {
    const int64_t slice = runs.order[static_cast<size_t>(runs.starts[static_cast<size_t>(r)])];
    assign({to + r * step, place.data() + 1, z.dtype},
           {slices.bytes.data() + slice * slices.length * size, from.data() + 1, z.dtype},
           slices.shape.data() + 1, x.rank - 1);
  }
  writeUniqueExtras(params, runs, context);
  return 0;
}

Result<Lowered> lowerUnique(const NodeView& node) {
  UniqueParams params{};
  NW_TRY(params.index, boolParam(node, "return_index", false));
  NW_TRY(params.inverse, boolParam(node, "return_inverse", false));
  NW_TRY(params.counts, boolParam(node, "return_counts", false));
  NW_TRY(const int64_t axis, intParam(node, "axis", -1));
  const int outputs = 1 + params.index + params.inverse + params.counts;
  NW_CHECK(checkArity(node, 1, 1, outputs, outputs));
  NW_CHECK(checkTensor(node, 0));
  if (axis < -1 || axis >= node.in(0).rank())
    return node.paramError(
        "axis", fmt::format("expected null or an axis of {}, found {}", shortText(node.in(0)), axis));
  params.axis = static_cast<int>(axis);
  NW_CHECK(checkOutTensor(node, 0, axis < 0 ? 1 : node.in(0).rank()));
  for (size_t k = 1; k < node.outputs(); ++k) NW_CHECK(checkOutInt64(node, k, 1));
  Lowered lowered = Lowered::prebuilt({}, [params](Array* const* in, Array* const* out, Context& context) {
    return params.axis < 0 ? runUniqueElements(params, *in[0], *out[0], context)
                           : runUniqueSlices(params, *in[0], *out[0], context);
  });
  lowered.allocatesOutputs = true;
  return lowered;
}

/// Calls visit(index of the axes but the last, position in the last) for each element that is not 0, in C
/// order.
template <class Visit> void forEachNonzero(const Array& x, Visit visit) {
  const int outer = x.rank - 1;
  const int64_t n = x.shape[outer], stride = x.strides[outer];
  std::vector<int64_t> index(static_cast<size_t>(outer));
  withType(x.dtype, [&]<class T>(std::type_identity<T>) {
    forEachIndex<1>(x.shape, outer, {x.strides}, [&](const auto& offsets) {
      const std::byte* row = x.data + offsets[0];
      for (int64_t i = 0; i < n; ++i)
        if (convertTo<Bool8>(load<T>(row + i * stride)).byte != 0) visit(index, i);
      for (int axis = outer - 1; axis >= 0; --axis) {
        const auto a = static_cast<size_t>(axis);
        if (++index[a] < x.shape[axis]) break;
        index[a] = 0;
      }
    });
  });
}

int32_t runNonzero(Array* const* in, Array* const*, Context& context) {
  const Array& x = *in[0];
  int64_t count = 0;
  forEachNonzero(x, [&count](const auto&, int64_t) { ++count; });
  std::vector<int64_t*> to;
  for (int k = 0; k < x.rank; ++k) to.push_back(reinterpret_cast<int64_t*>(context.allocate(k, &count, 1)));
  forEachNonzero(x, [&to](const std::vector<int64_t>& index, int64_t last) {
    for (size_t k = 0; k < index.size(); ++k) *to[k]++ = index[k];
    *to.back()++ = last;
  });
  return 0;
}

Result<Lowered> lowerNonzero(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, -1));
  NW_CHECK(checkTensor(node, 0));
  const int rank = node.in(0).rank();
  NW_CHECK(checkArity(node, 1, 1, rank, rank));
  for (size_t k = 0; k < node.outputs(); ++k) NW_CHECK(checkOutInt64(node, k, 1));
  Lowered lowered = Lowered::prebuilt({}, runNonzero);
  lowered.allocatesOutputs = true;
  return lowered;
}

constexpr OpRow kRows[] = {
    {"ArgSortOp", "searching", lowerArgsort, 1, "x, axis",
     "Positions that sort x along an axis, ascending, not-a-number last. Always stable."},
    {"Nonzero", "searching", lowerNonzero, 1, "x",
     "Indices of the elements that are not 0, a vector for each axis."},
    {"SearchsortedOp", "searching", lowerSearchsorted, 1, "sorted vector, values, maybe a sorter",
     "For each value the number of elements of the vector that are less (side left) or not greater (right)."},
    {"SortOp", "searching", lowerSort, 1, "x, axis",
     "x sorted along an axis, ascending, not-a-number last. Stable where kind is stable or mergesort."},
    {"Unique", "searching", lowerUnique, 1, "x",
     "The sorted distinct elements, or slices along an axis; as asked their first positions, each element's "
     "value, "
     "counts."},
};

} // namespace

std::span<const OpRow> searchingOps() { return kRows; }

} // namespace nodewise
