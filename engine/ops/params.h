// Reading an op's params, each error with its JSON path and what was expected.
#pragma once

#include "ops/op.h"

namespace nodewise {

Result<int64_t> intParam(const NodeView& node, std::string_view key, std::optional<int64_t> fallback = {});
Result<bool> boolParam(const NodeView& node, std::string_view key, std::optional<bool> fallback = {});
Result<std::string> textParam(const NodeView& node, std::string_view key,
                              std::optional<std::string> fallback = {});
Result<DType> dtypeParam(const NodeView& node, std::string_view key, std::optional<DType> fallback = {});
/// A list of integers, or (where `orNull`) null or absent, which gives an empty optional.
Result<std::optional<std::vector<int64_t>>> intListParam(const NodeView& node, std::string_view key,
                                                         bool orNull);
/// One of the given words.
Result<std::string> choiceParam(const NodeView& node, std::string_view key,
                                std::initializer_list<std::string_view> choices,
                                std::optional<std::string> fallback = {});

/// Number of inputs/outputs within [least, most] (most < 0: no limit).
Result<void> checkArity(const NodeView& node, int leastIn, int mostIn, int leastOut, int mostOut);
/// Input k (output k) is a tensor of at most kMaxRank axes; `rank` >= 0: of that rank.
Result<void> checkTensor(const NodeView& node, size_t k, int rank = -1);
Result<void> checkOutTensor(const NodeView& node, size_t k, int rank = -1);
/// Input k is a scalar or 0-d tensor of an integral dtype.
Result<void> checkIndexScalar(const NodeView& node, size_t k);
/// Input k is a vector of an integral dtype.
Result<void> checkIndexVector(const NodeView& node, size_t k);

/// The first parts of a key: "op" and "op version". Ops that give the same code share a name here.
std::vector<KeyPart> opParts(std::string_view op, int version);

} // namespace nodewise
