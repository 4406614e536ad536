#include "ops/data_array.h"
#include "ops/families.h"
#include "ops/params.h"
#include "ops/slice_range.h"

#include <fmt/format.h>

#include <algorithm>

namespace nodewise {

namespace {

// ---- checks ----

/// Input (output) k is a list, of elements of the type given, unless that is null.
Result<void> checkList(const NodeView& node, std::string_view role, size_t k, const Type& type,
                       const Type* elem) {
  if (type.kind != Kind::List || !type.elem)
    return node.error(fmt::format("{} {} has to be a list, but is {}", role, k, shortText(type)));
  // Lengths may be known on one side only.
  if (elem &&
      (elem->kind != type.elem->kind || elem->dtype != type.elem->dtype || elem->rank() != type.elem->rank()))
    return node.error(
        fmt::format("{} {} has to be a list of {}, but is {}", role, k, shortText(*elem), shortText(type)));
  return {};
}

Result<void> checkInList(const NodeView& node, size_t k, const Type* elem = nullptr) {
  return checkList(node, "input", k, node.in(k), elem);
}

Result<void> checkOutList(const NodeView& node, const Type* elem) {
  return checkList(node, "output", 0, node.out(0), elem);
}

/// Input k is an element of the list that is input 0.
Result<void> checkElement(const NodeView& node, size_t k) {
  const Type &found = node.in(k), &elem = *node.in(0).elem;
  if (found.kind == elem.kind && found.dtype == elem.dtype && found.rank() == elem.rank()) return {};
  return node.error(fmt::format("input {} has to be an element of a {}, but is {}", k, shortText(node.in(0)),
                                shortText(found)));
}

Result<void> checkCount(const NodeView& node) {
  NW_CHECK(checkOutTensor(node, 0, 0));
  if (node.out(0).dtype == DType::Int64) return {};
  return node.error("output 0 has to be int64");
}

// ---- running ----

/// The elements of a list, or null after an error.
const std::vector<Data>* itemsOf(const Array& list, Context& context) {
  const auto* data = list.object ? std::get_if<ListData>(&list.object->v) : nullptr;
  if (!data) context.fail("TypeError", "a list was expected, but the value is something else");
  return data ? &data->items : nullptr;
}

void setList(Array& out, std::vector<Data> items) {
  out.object = std::make_shared<const Data>(Data{ListData{std::move(items)}});
}

/// A node whose output 0 is a copy of the list in input 0, changed.
template <class Change> Lowered changedList(Change change) {
  Lowered lowered = Lowered::prebuilt({}, [change](Array* const* in, Array* const* out, Context& context) {
    const auto* items = itemsOf(*in[0], context);
    if (!items) return 1;
    std::vector<Data> changed = *items;
    if (const int32_t code = change(changed, in, context)) return code;
    setList(*out[0], std::move(changed));
    return 0;
  });
  lowered.allocatesOutputs = true;
  return lowered;
}

/// A node whose output 0 is a number that is read from the list in input 0.
template <class Count> Lowered countedList(Count count) {
  const ArrayFn rankZero = [](Array* const*, Array* const*, Context&) { return 0; };
  return Lowered::prebuilt(rankZero, [count](Array* const* in, Array* const* out, Context& context) {
    const auto* items = itemsOf(*in[0], context);
    if (!items) return 1;
    return count(*items, in, *out[0]->as<int64_t>(), context);
  });
}

// ---- the ops ----

Result<Lowered> lowerMakeList(const NodeView& node) {
  NW_CHECK(checkArity(node, 0, -1, 1, 1));
  NW_CHECK(checkOutList(node, node.inputs() > 0 ? &node.in(0) : nullptr));
  for (size_t k = 1; k < node.inputs(); ++k) NW_CHECK(checkOutList(node, &node.in(k)));
  Lowered lowered = Lowered::prebuilt({}, [n = node.inputs()](Array* const* in, Array* const* out, Context&) {
    std::vector<Data> items;
    for (size_t k = 0; k < n; ++k) items.push_back(dataOf(*in[k]));
    setList(*out[0], std::move(items));
    return 0;
  });
  lowered.allocatesOutputs = true;
  return lowered;
}

Result<Lowered> lowerAppend(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkElement(node, 1));
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  return changedList([](std::vector<Data>& items, Array* const* in, Context&) {
    items.push_back(dataOf(*in[1]));
    return 0;
  });
}

Result<Lowered> lowerExtend(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkInList(node, 1, node.in(0).elem.get()));
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  return changedList([](std::vector<Data>& items, Array* const* in, Context& context) {
    const auto* more = itemsOf(*in[1], context);
    if (!more) return 1;
    items.insert(items.end(), more->begin(), more->end());
    return 0;
  });
}

Result<Lowered> lowerInsert(const NodeView& node) {
  NW_CHECK(checkArity(node, 3, 3, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkIndexScalar(node, 1));
  NW_CHECK(checkElement(node, 2));
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  return changedList([](std::vector<Data>& items, Array* const* in, Context&) {
    const auto n = static_cast<int64_t>(items.size());
    const int64_t index = in[1]->toInt();
    // As Python's: a place before the start or behind the end is the nearest one.
    items.insert(items.begin() + std::clamp<int64_t>(index < 0 ? index + n : index, 0, n), dataOf(*in[2]));
    return 0;
  });
}

auto findItem(const std::vector<Data>& items, const Data& wanted) {
  return std::find_if(items.begin(), items.end(),
                      [&wanted](const Data& item) { return sameData(item, wanted); });
}

Result<Lowered> lowerRemove(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkElement(node, 1));
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  return changedList([](std::vector<Data>& items, Array* const* in, Context&) {
    const auto found = findItem(items, dataOf(*in[1]));
    if (found != items.end()) items.erase(found);
    return 0;
  });
}

Result<Lowered> lowerReverse(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  return changedList([](std::vector<Data>& items, Array* const*, Context&) {
    std::reverse(items.begin(), items.end());
    return 0;
  });
}

int32_t sliceList(const std::vector<Data>& items, const SliceData& slice, Array& out, Context& context) {
  const std::optional<SliceRange> range = sliceRange(slice, static_cast<int64_t>(items.size()));
  if (!range) return context.fail("ValueError", "a slice's step cannot be 0");
  std::vector<Data> taken;
  for (int64_t i = 0; i < range->count; ++i)
    taken.push_back(items[static_cast<size_t>(range->start + i * range->step)]);
  setList(out, std::move(taken));
  return 0;
}

Result<Lowered> lowerGetSlice(const NodeView& node) {
  NW_CHECK(checkOutList(node, node.in(0).elem.get()));
  Lowered lowered = Lowered::prebuilt({}, [](Array* const* in, Array* const* out, Context& context) {
    const auto* items = itemsOf(*in[0], context);
    if (!items) return 1;
    const auto* slice = in[1]->object ? std::get_if<SliceData>(&in[1]->object->v) : nullptr;
    if (!slice) return context.fail("TypeError", "a slice was expected, but the value is something else");
    return sliceList(*items, *slice, *out[0], context);
  });
  lowered.allocatesOutputs = true;
  return lowered;
}

Result<Lowered> lowerGetItem(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  if (node.in(1).kind == Kind::Slice) return lowerGetSlice(node);
  NW_CHECK(checkIndexScalar(node, 1));
  const Type &elem = *node.in(0).elem, &found = node.out(0);
  if (found.kind != elem.kind || found.dtype != elem.dtype || found.rank() != elem.rank())
    return node.error(fmt::format("output 0 has to be {}, but is {}", shortText(elem), shortText(found)));
  Lowered lowered = Lowered::prebuilt({}, [](Array* const* in, Array* const*, Context& context) {
    const auto* items = itemsOf(*in[0], context);
    if (!items) return 1;
    const int64_t n = static_cast<int64_t>(items->size()), index = in[1]->toInt();
    if (index < -n || index >= n)
      return context.fail("IndexError", fmt::format("index {} is outside a list of {}", index, n));
    return setOutput(context, 0, (*items)[static_cast<size_t>(index < 0 ? index + n : index)]);
  });
  lowered.allocatesOutputs = true;
  return lowered;
}

Result<Lowered> lowerIndex(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkElement(node, 1));
  NW_CHECK(checkCount(node));
  return countedList(
      [](const std::vector<Data>& items, Array* const* in, int64_t& position, Context& context) {
        const auto found = findItem(items, dataOf(*in[1]));
        if (found == items.end())
          return context.fail("ValueError", "no element of the list is equal to the value");
        position = found - items.begin();
        return 0;
      });
}

Result<Lowered> lowerCount(const NodeView& node) {
  NW_CHECK(checkArity(node, 2, 2, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkElement(node, 1));
  NW_CHECK(checkCount(node));
  return countedList([](const std::vector<Data>& items, Array* const* in, int64_t& times, Context&) {
    const Data wanted = dataOf(*in[1]);
    times = std::count_if(items.begin(), items.end(),
                          [&wanted](const Data& item) { return sameData(item, wanted); });
    return 0;
  });
}

Result<Lowered> lowerLength(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkInList(node, 0));
  NW_CHECK(checkCount(node));
  return countedList([](const std::vector<Data>& items, Array* const*, int64_t& length, Context&) {
    length = static_cast<int64_t>(items.size());
    return 0;
  });
}

constexpr OpRow kRows[] = {
    {"Append", "list", lowerAppend, 1, "list, value", "The list with the value behind it."},
    {"Count", "list", lowerCount, 1, "list, value",
     "How many elements are equal to the value: same dtype, shape, elements."},
    {"Extend", "list", lowerExtend, 1, "list, list", "One list behind the other."},
    {"GetItem", "list", lowerGetItem, 1, "list, index or slice", "An element, or a list of some."},
    {"Index", "list", lowerIndex, 1, "list, value",
     "Position of the first element that is equal to the value."},
    {"Insert", "list", lowerInsert, 1, "list, index, value",
     "The list with the value before the element at the index."},
    {"Length", "list", lowerLength, 1, "list", "The number of elements."},
    {"MakeList", "list", lowerMakeList, 1, "values", "A list of the values."},
    {"Remove", "list", lowerRemove, 1, "list, value",
     "The list without the first element that is equal to the value."},
    {"Reverse", "list", lowerReverse, 1, "list", "The list from its end to its start."},
};

} // namespace

std::span<const OpRow> listOps() { return kRows; }

} // namespace nodewise
