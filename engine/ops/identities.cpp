// Ops that give their input as it is, or a copy of it.
#include "ops/params.h"
#include "ops/shape_lowering.h"
#include "ops/view_lowering.h"

#include <fmt/format.h>

#include <cstring>

namespace nodewise {

namespace {

bool hasElements(const Type& type) { return type.kind == Kind::Tensor || type.kind == Kind::Scalar; }

/// One input, one output, of one kind, dtype and rank.
Result<void> checkLike(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  if (node.in(0).kind != node.out(0).kind)
    return node.error(fmt::format("output 0 has to be {} like input 0, but is {}", kindName(node.in(0).kind),
                                  kindName(node.out(0).kind)));
  if (node.in(0).kind == Kind::Tensor) {
    NW_CHECK(checkTensor(node, 0));
    NW_CHECK(checkOutTensor(node, 0, node.in(0).rank()));
  }
  if (hasElements(node.in(0))) NW_CHECK(checkSameDtype(node));
  return {};
}

int32_t sameLengths(Array* const* in, Array* const* out, Context&) {
  for (int32_t axis = 0; axis < in[0]->rank; ++axis) out[0]->shape[axis] = in[0]->shape[axis];
  return 0;
}

/// Values that are held as objects are never changed, so that sharing one is as good as copying it.
int32_t shareObject(Array* const* in, Array* const* out, Context&) {
  out[0]->object = in[0]->object;
  return 0;
}

Lowered copyOfRng() {
  return Lowered::prebuilt(sameLengths, [](Array* const* in, Array* const* out, Context&) {
    *out[0]->as<RngState>() = *in[0]->as<RngState>();
    return 0;
  });
}

Lowered copyOfElements() {
  return Lowered::prebuilt(sameLengths, [](Array* const* in, Array* const* out, Context&) {
    copyArray(*in[0], *out[0]);
    return 0;
  });
}

/// One element of any dtype goes from a scalar to a 0-d tensor or back.
Result<Lowered> lowerElement(const NodeView& node) {
  NW_CHECK(checkSameDtype(node));
  if (mayView(node))
    return Lowered::view([](Array* const* in, Array* const* out, Context&) {
      out[0]->data = in[0]->data;
      return 0;
    });
  const auto size = static_cast<size_t>(dtypeSize(node.in(0).dtype));
  return Lowered::prebuilt([](Array* const*, Array* const*, Context&) { return 0; },
                           [size](Array* const* in, Array* const* out, Context&) {
                             std::memcpy(out[0]->data, in[0]->data, size);
                             return 0;
                           });
}

Result<void> checkScalar(const NodeView& node, std::string_view role, const Type& type) {
  if (type.kind == Kind::Scalar) return {};
  return node.error(fmt::format("{} 0 has to be a scalar, but is {}", role, shortText(type)));
}

} // namespace

Result<Lowered> lowerIdentity(const NodeView& node) {
  NW_CHECK(checkLike(node));
  if (node.in(0).kind == Kind::Rng) {
    if (!mayView(node)) return copyOfRng();
    return Lowered::view([](Array* const* in, Array* const* out, Context&) {
      out[0]->data = in[0]->data;
      return 0;
    });
  }
  if (!hasElements(node.in(0))) return Lowered::view(shareObject);
  return lowerView(node, [](Array* const* in, Array* const* out, Context&) {
    aliasWhole(*in[0], *out[0]);
    return 0;
  });
}

Result<Lowered> lowerDeepCopy(const NodeView& node) {
  NW_CHECK(checkLike(node));
  if (node.in(0).kind == Kind::Rng) return copyOfRng();
  if (!hasElements(node.in(0))) return Lowered::view(shareObject);
  return copyOfElements();
}

Result<Lowered> lowerCpuContiguous(const NodeView& node) {
  NW_CHECK(checkLike(node));
  NW_CHECK(checkTensor(node, 0));
  Lowered lowered = copyOfElements();
  if (!mayView(node)) return lowered;
  lowered.mayAlias = true;
  lowered.shape = [](Array* const* in, Array* const* out, Context& context) {
    if (!in[0]->contiguous()) {
      out[0]->data = nullptr;
      return sameLengths(in, out, context);
    }
    aliasWhole(*in[0], *out[0]);
    return 0;
  };
  return lowered;
}

Result<Lowered> lowerTensorFromScalar(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkScalar(node, "input", node.in(0)));
  NW_CHECK(checkOutTensor(node, 0, 0));
  return lowerElement(node);
}

Result<Lowered> lowerScalarFromTensor(const NodeView& node) {
  NW_CHECK(checkArity(node, 1, 1, 1, 1));
  NW_CHECK(checkTensor(node, 0, 0));
  NW_CHECK(checkScalar(node, "output", node.out(0)));
  return lowerElement(node);
}

} // namespace nodewise
