#include "ops/index_reference.h"

#include <algorithm>

namespace nodewise::testing {

namespace {

/// Adds an integer input and returns its position.
int64_t addInteger(IndexInputs& inputs, size_t first, int64_t value) {
  const auto position = static_cast<int64_t>(first + inputs.data.size());
  const bool asScalar = position % 2 == 0;
  inputs.data.push_back(scalarOf<int64_t>(value));
  inputs.types.push_back(asScalar ? scalarType(DType::Int64) : tensorType(DType::Int64, {}));
  return position;
}

int64_t countOf(const std::vector<int64_t>& shape) {
  int64_t count = 1;
  for (const int64_t length : shape) count *= length;
  return count;
}

/// The index of position `flat` in C order.
std::vector<int64_t> unravel(int64_t flat, const std::vector<int64_t>& shape) {
  std::vector<int64_t> index(shape.size());
  for (size_t axis = shape.size(); axis-- > 0;) {
    index[axis] = flat % shape[axis];
    flat /= shape[axis];
  }
  return index;
}

/// The element of a tensor that is broadcast to `index` of a larger shape.
int64_t broadcastFlat(const std::vector<int64_t>& shape, const std::vector<int64_t>& index) {
  int64_t flat = 0;
  const size_t added = index.size() - shape.size();
  for (size_t axis = 0; axis < shape.size(); ++axis)
    flat = flat * shape[axis] + (shape[axis] == 1 ? 0 : index[axis + added]);
  return flat;
}

/// One axis of x: either a slice, or an index tensor.
struct AxisSource {
  bool isSlice = true;
  std::vector<int64_t> positions; ///< of the slice, or elements of the tensor
  std::vector<int64_t> shape;     ///< of the tensor
};

/// Masks become one vector an axis; axes without a part are taken whole.
std::vector<AxisSource> axisSources(const std::vector<IndexPart>& parts, const std::vector<int64_t>& xShape) {
  std::vector<AxisSource> sources;
  for (const IndexPart& part : parts) {
    if (part.kind == IndexPart::Kind::Slice) {
      sources.push_back({true, slicePositions(part, xShape[sources.size()]), {}});
    } else if (part.kind == IndexPart::Kind::Integers) {
      AxisSource source{false, part.elements, part.shape};
      for (int64_t& position : source.positions)
        if (position < 0) position += xShape[sources.size()];
      sources.push_back(std::move(source));
    } else {
      std::vector<AxisSource> vectors(part.shape.size(), AxisSource{false, {}, {}});
      for (int64_t flat = 0; flat < countOf(part.shape); ++flat) {
        if (part.elements[static_cast<size_t>(flat)] == 0) continue;
        const std::vector<int64_t> index = unravel(flat, part.shape);
        for (size_t axis = 0; axis < index.size(); ++axis) vectors[axis].positions.push_back(index[axis]);
      }
      for (AxisSource& source : vectors) {
        source.shape = {static_cast<int64_t>(source.positions.size())};
        sources.push_back(source);
      }
    }
  }
  while (sources.size() < xShape.size())
    sources.push_back({true, slicePositions(IndexPart{}, xShape[sources.size()]), {}});
  return sources;
}

std::vector<int64_t> broadcastShape(const std::vector<AxisSource>& sources) {
  std::vector<int64_t> shape;
  for (const AxisSource& source : sources) {
    if (source.isSlice) continue;
    while (shape.size() < source.shape.size()) shape.insert(shape.begin(), 1);
    const size_t added = shape.size() - source.shape.size();
    for (size_t axis = 0; axis < source.shape.size(); ++axis)
      if (source.shape[axis] != 1) shape[axis + added] = source.shape[axis];
  }
  return shape;
}

/// Where B stands in the result: the number of slices before it.
size_t placeOfB(const std::vector<AxisSource>& sources) {
  size_t first = sources.size(), last = 0;
  for (size_t axis = 0; axis < sources.size(); ++axis) {
    if (sources[axis].isSlice) continue;
    first = std::min(first, axis);
    last = axis;
  }
  for (size_t axis = first; axis < last; ++axis)
    if (sources[axis].isSlice) return 0;
  return first == sources.size() ? 0 : first;
}

} // namespace

IndexInputs makeInputs(const std::vector<IndexPart>& parts, size_t first) {
  IndexInputs inputs;
  for (const IndexPart& part : parts) {
    if (part.kind == IndexPart::Kind::Slice) {
      nlohmann::json slice = nlohmann::json::array();
      for (const auto& bound : {part.start, part.stop, part.step})
        slice.push_back(bound ? nlohmann::json(addInteger(inputs, first, *bound)) : nlohmann::json());
      inputs.list.push_back(slice);
    } else if (part.kind == IndexPart::Kind::Integers && part.shape.empty()) {
      inputs.list.push_back(addInteger(inputs, first, part.elements[0]));
    } else {
      inputs.list.push_back(first + inputs.data.size());
      const Data tensor = tensorOf<int64_t>(part.shape, part.elements);
      inputs.data.push_back(part.kind == IndexPart::Kind::Mask ? convertedTo(tensor, DType::Bool) : tensor);
      inputs.types.push_back(withoutLengths(typeOf(inputs.data.back()), true));
    }
  }
  return inputs;
}

std::vector<int64_t> slicePositions(const IndexPart& slice, int64_t length) {
  // Steps through all positions that a walk from the clamped start could reach, and keeps those before stop.
  const int64_t step = slice.step.value_or(1);
  const auto fromEnd = [length](int64_t bound) { return bound < 0 ? bound + length : bound; };
  std::vector<int64_t> positions;
  if (step > 0) {
    const int64_t stop = slice.stop ? fromEnd(*slice.stop) : length;
    for (int64_t i = std::max<int64_t>(slice.start ? fromEnd(*slice.start) : 0, 0);
         i < std::min(stop, length); i += step)
      positions.push_back(i);
  } else {
    const int64_t stop = slice.stop ? fromEnd(*slice.stop) : -1;
    for (int64_t i = std::min(slice.start ? fromEnd(*slice.start) : length - 1, length - 1);
         i > std::max<int64_t>(stop, -1); i += step)
      positions.push_back(i);
  }
  return positions;
}

ReadPlaces placesOf(const std::vector<IndexPart>& parts, const std::vector<int64_t>& xShape) {
  const std::vector<AxisSource> sources = axisSources(parts, xShape);
  const std::vector<int64_t> b = broadcastShape(sources);
  const size_t place = placeOfB(sources);
  ReadPlaces read;
  size_t slices = 0;
  for (const AxisSource& source : sources) {
    if (!source.isSlice) continue;
    if (slices++ == place) read.shape.insert(read.shape.end(), b.begin(), b.end());
    read.shape.push_back(static_cast<int64_t>(source.positions.size()));
  }
  if (slices <= place) read.shape.insert(read.shape.end(), b.begin(), b.end());

  for (int64_t flat = 0; flat < countOf(read.shape); ++flat) {
    std::vector<int64_t> index = unravel(flat, read.shape);
    const auto from = index.begin() + static_cast<std::ptrdiff_t>(place);
    const std::vector<int64_t> bIndex(from, from + static_cast<std::ptrdiff_t>(b.size()));
    index.erase(from, from + static_cast<std::ptrdiff_t>(b.size()));
    int64_t position = 0;
    size_t slice = 0;
    for (size_t axis = 0; axis < sources.size(); ++axis) {
      const AxisSource& source = sources[axis];
      const int64_t which = source.isSlice ? index[slice++] : broadcastFlat(source.shape, bIndex);
      position = position * xShape[axis] + source.positions[static_cast<size_t>(which)];
    }
    read.places.push_back(position);
  }
  return read;
}

Data readPlaces(const Data& x, const ReadPlaces& read) {
  const Tensor& from = *x.tensor();
  const auto size = static_cast<size_t>(dtypeSize(from.dtype));
  Tensor to{from.dtype, read.shape, std::vector<std::byte>(read.places.size() * size)};
  for (size_t i = 0; i < read.places.size(); ++i)
    std::memcpy(to.bytes.data() + i * size, from.bytes.data() + static_cast<size_t>(read.places[i]) * size,
                size);
  return Data{std::move(to)};
}

std::vector<int64_t> broadcastPlaces(const std::vector<int64_t>& yShape, const std::vector<int64_t>& shape) {
  std::vector<int64_t> places;
  for (int64_t flat = 0; flat < countOf(shape); ++flat)
    places.push_back(broadcastFlat(yShape, unravel(flat, shape)));
  return places;
}

int64_t pick(Random& random, int64_t least, int64_t most) {
  return std::uniform_int_distribution<int64_t>(least, most)(random);
}

std::vector<int64_t> randomShape(Random& random, int mostRank) {
  std::vector<int64_t> shape(static_cast<size_t>(pick(random, 0, mostRank)));
  for (int64_t& length : shape) length = pick(random, 0, 11) == 0 ? 0 : pick(random, 1, 5);
  return shape;
}

IndexPart randomSlice(Random& random, int64_t length) {
  IndexPart slice;
  const auto bound = [&]() -> std::optional<int64_t> {
    if (pick(random, 0, 2) == 0) return std::nullopt;
    return pick(random, -length - 2, length + 2);
  };
  slice.start = bound();
  slice.stop = bound();
  if (pick(random, 0, 1) == 1)
    slice.step = pick(random, 0, 1) == 1 ? pick(random, 1, 3) : pick(random, -3, -1);
  return slice;
}

} // namespace nodewise::testing
