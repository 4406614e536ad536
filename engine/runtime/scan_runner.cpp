#include "runtime/scan_runner.h"

#include "numeric/strided.h"
#include "ops/control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace nodewise {

namespace {

/// A traced state or a nit-sot: rows in a buffer whose axis 0 is time.
struct Buffer {
  Array* array = nullptr; ///< the outer output
  int64_t offset = 0;     ///< off = max(0, -min(t))
  int64_t length() const { return array->shape[0]; }
  std::byte* row(int64_t index) const { return array->data + index * array->strides[0]; }
};

int64_t ringRow(int64_t index, int64_t length) {
  const int64_t r = index % length;
  return r < 0 ? r + length : r;
}

class ScanRunner : public ControlRunner {
public:
  explicit ScanRunner(const PlannedNode& node)
      : m_scan(node.lowered.control->scan), m_machine(*node.inner), m_node(node) {
    for (size_t k = 0; k < m_machine.outputs(); ++k) {
      m_owned.push_back(m_machine.ownsOutput(k));
      m_placeable.push_back(m_machine.canPlaceOutput(k));
    }
    m_staged.resize(m_machine.outputs());
  }
  Machine* inner() override { return &m_machine; }

  int32_t run(Machine& outer, Step& step) override {
    const int64_t steps = step.in[0]->toInt();
    if (steps < 0) return outer.context().fail("IndexError", fmt::format("the number of steps is {}", steps));
    for (int s = 0; s < m_scan.sequences; ++s) {
      const int64_t length = step.in[1 + static_cast<size_t>(s)]->shape[0];
      if (length < steps)
        return outer.context().fail(
            "ValueError", fmt::format("sequence {} has {} rows, fewer than the {} steps", s, length, steps));
    }
    if (const int32_t code = openBuffers(outer, step, steps)) return code;
    int64_t done = 0;
    bool stop = false;
    m_first = true;
    for (size_t k = 0; k < m_machine.outputs(); ++k) m_machine.placeOutput(k, nullptr);
    while (done < steps && !stop) {
      if (const int32_t code = oneStep(outer, step, done, stop)) return code;
      ++done;
    }
    if (steps > 0) finish(outer, steps, done);
    for (size_t k = 0; k < m_untraced.size(); ++k)
      outer.copy(step.out[m_firstUntracedOut + k], m_untraced[k]->array);
    return 0;
  }

private:
  /// A state of which only the last value is kept; a copy, since the body's own memory is written to again.
  struct Untraced {
    Array array;
    std::vector<int64_t> dims;
    std::vector<std::byte> bytes;

    void take(const Array& from) {
      array.kind = from.kind;
      array.dtype = from.dtype;
      array.object = from.object;
      array.rank = from.rank;
      if (from.kind == Kind::Rng) {
        std::vector<std::byte> next(from.data, from.data + sizeof(RngState));
        bytes = std::move(next);
        array.data = bytes.data();
      } else if (from.kind == Kind::Tensor || from.kind == Kind::Scalar) {
        const auto rank = static_cast<size_t>(from.rank);
        std::vector<int64_t> nextDims(2 * rank + 1);
        std::copy_n(from.shape, rank, nextDims.begin());
        std::vector<std::byte> next(
            static_cast<size_t>(std::max<int64_t>(1, from.size() * dtypeSize(from.dtype))));
        Array target = array;
        target.shape = nextDims.data();
        target.strides = nextDims.data() + rank;
        setContiguousStrides(target);
        assign({next.data(), target.strides, from.dtype}, {from.data, from.strides, from.dtype}, from.shape,
               from.rank);
        dims = std::move(nextDims);
        bytes = std::move(next);
        array.shape = dims.data();
        array.strides = dims.data() + rank;
        array.data = bytes.data();
      }
    }
  };

  int32_t openBuffers(Machine& outer, Step& step, int64_t steps) {
    m_buffers.clear();
    size_t in = 1 + static_cast<size_t>(m_scan.sequences), out = 0;
    auto open = [&](const std::vector<int64_t>& taps) -> int32_t {
      const Array& from = *step.in[in];
      Array* to = step.out[out];
      const auto& pairs = m_node.lowered.inPlace;
      if (std::ranges::find(pairs, std::pair(static_cast<int>(out), static_cast<int>(in))) != pairs.end())
        outer.alias(to, from);
      else
        outer.copy(to, from);
      Buffer buffer{to, 0};
      for (int64_t tap : taps) buffer.offset = std::max(buffer.offset, -tap);
      if (steps > 0 && buffer.length() == 0)
        return outer.context().fail("ValueError", fmt::format("the buffer of state {} has no rows", out));
      m_buffers.push_back(buffer);
      ++in;
      ++out;
      return 0;
    };
    for (const auto& taps : m_scan.mitMotIn)
      if (const int32_t code = open(taps)) return code;
    for (const auto& taps : m_scan.mitSotIn)
      if (const int32_t code = open(taps)) return code;
    m_firstUntracedIn = in;
    m_firstNitSotOut = out;
    m_firstUntracedOut = out + static_cast<size_t>(m_scan.nitSots);
    m_firstLength = in + static_cast<size_t>(m_scan.untraced);
    m_firstNonSequence = m_firstLength + static_cast<size_t>(m_scan.nitSots);
    m_untraced.clear();
    for (int k = 0; k < m_scan.untraced; ++k) {
      m_untraced.push_back(std::make_unique<Untraced>());
      m_untraced.back()->take(*step.in[m_firstUntracedIn + static_cast<size_t>(k)]);
    }
    for (int k = 0; k < m_scan.nitSots; ++k) {
      Array* to = step.out[m_firstNitSotOut + static_cast<size_t>(k)];
      if (steps == 0) {
        const std::vector<int64_t> none(static_cast<size_t>(to->rank), 0);
        outer.provide(to, none.data(), to->rank);
      }
      m_buffers.push_back({to, 0});
    }
    return 0;
  }

  /// Gives the body a row of an array.
  void giveRow(size_t input, const Array& array, int64_t row) {
    std::byte* data = array.data + row * array.strides[0];
    if (!m_first) return m_machine.moveInput(input, data);
    Array view = array;
    view.shape = array.shape + 1;
    view.strides = array.strides + 1;
    view.rank = array.rank - 1;
    view.data = data;
    m_machine.setInput(input, view);
  }

  void giveInputs(Step& step, int64_t i) {
    size_t at = 0;
    for (int s = 0; s < m_scan.sequences; ++s, ++at) giveRow(at, *step.in[1 + static_cast<size_t>(s)], i);
    size_t state = 0;
    for (const auto* group : {&m_scan.mitMotIn, &m_scan.mitSotIn})
      for (const auto& taps : *group) {
        const Buffer& buffer = m_buffers[state++];
        for (int64_t tap : taps)
          giveRow(at++, *buffer.array, ringRow(i + buffer.offset + tap, buffer.length()));
      }
    for (auto& value : m_untraced) m_machine.setInput(at++, value->array);
    if (m_first)
      for (size_t k = 0; k < static_cast<size_t>(m_scan.nonSequences); ++k)
        m_machine.setInput(at + k, *step.in[m_firstNonSequence + k]);
  }

  /// Rows that the body may write where they belong: not read in this step, C-contiguous, of a known shape.
  void placeRows(int64_t i) {
    size_t result = 0;
    for (const auto& taps : m_scan.mitMotOut) result += taps.size();
    const auto mitMots = static_cast<size_t>(m_scan.mitMots()), sots = static_cast<size_t>(m_scan.sots());
    for (size_t k = 0; k < sots + static_cast<size_t>(m_scan.nitSots); ++k, ++result) {
      if (!m_placeable[result]) continue;
      const Buffer& buffer = m_buffers[mitMots + k];
      if (buffer.length() == 0 || !rowsContiguous(*buffer.array)) continue;
      bool read = false;
      if (k < sots)
        for (int64_t tap : m_scan.mitSotIn[k]) read = read || ringRow(tap, buffer.length()) == 0;
      if (!read) m_machine.placeOutput(result, buffer.row(ringRow(i + buffer.offset, buffer.length())));
    }
  }

  static bool rowsContiguous(const Array& array) {
    int64_t stride = dtypeSize(array.dtype);
    for (int32_t axis = array.rank - 1; axis > 0; --axis) {
      if (array.shape[axis] != 1 && array.strides[axis] != stride) return false;
      stride *= array.shape[axis];
    }
    return true;
  }

  int32_t writeRow(Machine& outer, const Array& value, const Buffer& buffer, int64_t row) {
    const Array& to = *buffer.array;
    if (!std::equal(value.shape, value.shape + value.rank, to.shape + 1))
      return outer.context().fail(
          "ValueError",
          fmt::format("a step's row has shape ({}), the buffer's rows ({})",
                      fmt::join(std::span(value.shape, static_cast<size_t>(value.rank)), ", "),
                      fmt::join(std::span(to.shape + 1, static_cast<size_t>(value.rank)), ", ")));
    std::byte* data = buffer.row(row);
    if (data == value.data) return 0;
    assign({data, to.strides + 1, to.dtype}, {value.data, value.strides, value.dtype}, value.shape,
           value.rank);
    return 0;
  }

  int32_t oneStep(Machine& outer, Step& step, int64_t i, bool& stop) {
    giveInputs(step, i);
    if (!m_first) placeRows(i);
    if (!m_machine.run()) return passError(outer, m_machine);

    // An output that is an input passed through would change while rows are written.
    const size_t results = m_machine.outputs() - (m_scan.asWhile ? 1 : 0);
    auto value = [&](size_t k) -> const Array& {
      if (m_owned[k]) return m_machine.output(k);
      return m_staged[k].array;
    };
    for (size_t k = 0; k < results; ++k)
      if (!m_owned[k]) m_staged[k].take(m_machine.output(k));

    size_t result = 0, state = 0;
    for (const auto& taps : m_scan.mitMotOut) {
      const Buffer& buffer = m_buffers[state++];
      for (int64_t tap : taps) {
        const int64_t row = i + buffer.offset + tap;
        if (row < 0 || row >= buffer.length())
          return outer.context().fail(
              "IndexError",
              fmt::format("step {} writes row {} of a state with {} rows", i, row, buffer.length()));
        if (const int32_t code = writeRow(outer, value(result++), buffer, row)) return code;
      }
    }
    for (size_t k = 0; k < static_cast<size_t>(m_scan.sots()); ++k, ++state) {
      const Buffer& buffer = m_buffers[state];
      if (const int32_t code =
              writeRow(outer, value(result++), buffer, ringRow(i + buffer.offset, buffer.length())))
        return code;
    }
    for (size_t k = 0; k < static_cast<size_t>(m_scan.nitSots); ++k, ++state) {
      const Array& row = value(result++);
      Buffer& buffer = m_buffers[state];
      if (m_first) {
        std::vector<int64_t> shape{std::max<int64_t>(0, step.in[m_firstLength + k]->toInt())};
        shape.insert(shape.end(), row.shape, row.shape + row.rank);
        outer.provide(buffer.array, shape.data(), static_cast<int>(shape.size()));
      }
      if (buffer.length() > 0)
        if (const int32_t code = writeRow(outer, row, buffer, ringRow(i, buffer.length()))) return code;
    }
    for (size_t k = 0; k < m_untraced.size(); ++k) m_untraced[k]->take(value(result++));
    if (m_scan.asWhile) stop = m_machine.output(result).toDouble() != 0;
    m_first = false;
    return 0;
  }

  void finish(Machine& outer, int64_t steps, int64_t done) {
    for (size_t k = static_cast<size_t>(m_scan.mitMots()); k < m_buffers.size(); ++k) {
      const Buffer& buffer = m_buffers[k];
      const int64_t length = buffer.length(), rows = done + buffer.offset;
      if (length == 0) continue;
      if (length < rows) {
        rotate(*buffer.array, ringRow(rows, length));
      } else if (length > rows) {
        Array rest = *buffer.array;
        std::vector<int64_t> shape(rest.shape, rest.shape + rest.rank);
        shape[0] = length - rows;
        const std::vector<int64_t> zeroStrides(static_cast<size_t>(rest.rank), 0);
        const std::byte zero[16]{};
        assign({buffer.row(rows), rest.strides, rest.dtype}, {zero, zeroStrides.data(), rest.dtype},
               shape.data(), rest.rank);
        if (done < steps) outer.shorten(buffer.array, std::max<int64_t>(0, length - (steps - done)));
      }
    }
  }

  /// Row `first` becomes row 0.
  static void rotate(Array& array, int64_t first) {
    const int64_t length = array.shape[0];
    if (first == 0) return;
    int64_t rowSize = 1;
    for (int32_t axis = 1; axis < array.rank; ++axis) rowSize *= array.shape[axis];
    std::vector<std::byte> copy(static_cast<size_t>(length * rowSize * dtypeSize(array.dtype)) + 1);
    std::vector<int64_t> packed(static_cast<size_t>(array.rank));
    Array whole = array;
    whole.strides = packed.data();
    setContiguousStrides(whole);
    assign({copy.data(), packed.data(), array.dtype}, {array.data, array.strides, array.dtype}, array.shape,
           array.rank);
    const int64_t rowBytes = rowSize * dtypeSize(array.dtype);
    for (int64_t row = 0; row < length; ++row)
      assign({array.data + row * array.strides[0], array.strides + 1, array.dtype},
             {copy.data() + (row + first) % length * rowBytes, packed.data() + 1, array.dtype},
             array.shape + 1, array.rank - 1);
  }

  const ScanParams& m_scan;
  Machine m_machine;
  const PlannedNode& m_node;
  std::vector<bool> m_owned, m_placeable; ///< by inner output
  std::vector<Untraced> m_staged;         ///< by inner output
  std::vector<Buffer> m_buffers;          ///< mit-mot, mit-sot and sit-sot states, nit-sots
  std::vector<std::unique_ptr<Untraced>> m_untraced;
  size_t m_firstUntracedIn = 0, m_firstLength = 0, m_firstNonSequence = 0, m_firstNitSotOut = 0,
         m_firstUntracedOut = 0;
  bool m_first = true;
};

} // namespace

std::unique_ptr<ControlRunner> makeScanRunner(const PlannedNode& node) {
  return std::make_unique<ScanRunner>(node);
}

} // namespace nodewise
