#include "numeric/strided.h"

#include "numeric/element.h"
#include "numeric/strided_planes.h"

#include <algorithm>
#include <cstdlib>

namespace nodewise {

namespace {

struct Axis {
  int64_t length, out, in;
};

/// The axes of an operation, outermost first, put in the order in which memory is best walked.
struct Nest {
  Axis axes[kMaxRank];
  int rank = 0;
  bool empty = false;
  std::byte* out;
  const std::byte* in;
};

/// Walks an axis the other way round where that makes its out stride positive.
void makeAscending(Axis& axis, Nest& nest) {
  if (axis.out > 0 || (axis.out == 0 && axis.in >= 0)) return;
  nest.out += (axis.length - 1) * axis.out;
  nest.in += (axis.length - 1) * axis.in;
  axis.out = -axis.out;
  axis.in = -axis.in;
}

bool isOutside(const Axis& a, const Axis& b) {
  return a.out != b.out ? a.out > b.out : std::abs(a.in) > std::abs(b.in);
}

/// Joins axes that both operands walk as one.
void mergeNeighbours(Nest& nest) {
  int last = 0;
  for (int k = 1; k < nest.rank; ++k) {
    Axis& outer = nest.axes[last];
    const Axis& inner = nest.axes[k];
    if (outer.out == inner.out * inner.length && outer.in == inner.in * inner.length)
      outer = {outer.length * inner.length, inner.out, inner.in};
    else
      nest.axes[++last] = inner;
  }
  nest.rank = std::min(nest.rank, last + 1);
}

/// Puts the axis along which `in` is densest next to the innermost one: the two make the plane of a
/// transposition.
void makePlane(Nest& nest) {
  int densest = nest.rank - 1;
  for (int k = 0; k < nest.rank - 1; ++k) {
    const int64_t stride = std::abs(nest.axes[k].in);
    if (stride != 0 && stride < std::abs(nest.axes[densest].in)) densest = k;
  }
  if (densest < nest.rank - 2)
    std::rotate(nest.axes + densest, nest.axes + densest + 1, nest.axes + nest.rank - 1);
}

Nest makeNest(const StridedOut& out, const StridedIn& in, const int64_t* shape, int rank) {
  Nest nest;
  nest.out = out.data;
  nest.in = in.data;
  for (int k = 0; k < rank; ++k) {
    if (shape[k] == 0) nest.empty = true;
    if (shape[k] <= 1) continue;
    Axis axis{shape[k], out.strides[k], in.strides[k]};
    makeAscending(axis, nest);
    int place = nest.rank++;
    for (; place > 0 && isOutside(axis, nest.axes[place - 1]); --place)
      nest.axes[place] = nest.axes[place - 1];
    nest.axes[place] = axis;
  }
  if (nest.rank > 1 && !nest.empty) {
    mergeNeighbours(nest);
    if (nest.rank > 2) makePlane(nest);
  }
  return nest;
}

/// Calls step(out, in, plane) for the two innermost axes at each index of the others.
template <class Step> void walk(const Nest& nest, Step step) {
  Plane plane;
  if (nest.rank >= 1) {
    const Axis& axis = nest.axes[nest.rank - 1];
    plane.columns = axis.length, plane.outColumn = axis.out, plane.inColumn = axis.in;
  }
  if (nest.rank >= 2) {
    const Axis& axis = nest.axes[nest.rank - 2];
    plane.rows = axis.length, plane.outRow = axis.out, plane.inRow = axis.in;
  }
  std::byte* out = nest.out;
  const std::byte* in = nest.in;
  if (nest.rank <= 2) return step(out, in, plane);
  int64_t index[kMaxRank] = {};
  for (;;) {
    step(out, in, plane);
    int k = nest.rank - 3;
    for (; k >= 0; --k) {
      const Axis& axis = nest.axes[k];
      out += axis.out, in += axis.in;
      if (++index[k] < axis.length) break;
      out -= axis.length * axis.out, in -= axis.length * axis.in;
      index[k] = 0;
    }
    if (k < 0) return;
  }
}

/// Adds with conversion: a run of elements is converted into a buffer, which then is added.
constexpr int64_t kRun = 256;

void convertAndAdd(std::byte* out, const std::byte* in, const Plane& plane, PlaneFn convert, PlaneFn add,
                   int64_t size) {
  alignas(16) std::byte buffer[kRun * 16];
  for (int64_t row = 0; row < plane.rows; ++row) {
    for (int64_t column = 0; column < plane.columns; column += kRun) {
      const int64_t n = std::min(kRun, plane.columns - column);
      convert(buffer, in + row * plane.inRow + column * plane.inColumn, {1, n, 0, size, 0, plane.inColumn});
      add(out + row * plane.outRow + column * plane.outColumn, buffer, {1, n, 0, plane.outColumn, 0, size});
    }
  }
}

} // namespace

void assign(const StridedOut& out, const StridedIn& in, const int64_t* shape, int rank) {
  const PlaneFn plane = out.dtype == in.dtype ? copyPlane(out.dtype) : convertPlane(out.dtype, in.dtype);
  if (rank == 0) return plane(out.data, in.data, {});
  if (rank == 1 && out.strides[0] >= 0) {
    if (shape[0] == 0) return;
    return plane(out.data, in.data, {1, shape[0], 0, out.strides[0], 0, in.strides[0]});
  }
  const Nest nest = makeNest(out, in, shape, rank);
  if (!nest.empty) walk(nest, plane);
}

void accumulate(const StridedOut& out, const StridedIn& in, const int64_t* shape, int rank) {
  const Nest nest = makeNest(out, in, shape, rank);
  if (nest.empty) return;
  const PlaneFn add = addPlane(out.dtype);
  if (out.dtype == in.dtype) return walk(nest, add);
  const PlaneFn convert = convertPlane(out.dtype, in.dtype);
  walk(nest, [&](std::byte* to, const std::byte* from, const Plane& plane) {
    convertAndAdd(to, from, plane, convert, add, dtypeSize(out.dtype));
  });
}

void convertElement(std::byte* to, DType toDType, const std::byte* from, DType fromDType) {
  if (toDType == fromDType) return copyElement(to, from, dtypeSize(toDType));
  convertPlane(toDType, fromDType)(to, from, {});
}

void contiguousStrides(const int64_t* shape, int rank, int64_t elementSize, int64_t* strides) {
  for (int axis = rank - 1; axis >= 0; --axis) {
    strides[axis] = elementSize;
    elementSize *= shape[axis];
  }
}

} // namespace nodewise
