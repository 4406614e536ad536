// SciPy's optimizers: roots of equations; minimizers are unsupported.
#include "ops/control.h"
#include "ops/families.h"
#include "ops/params.h"

#include <fmt/format.h>

namespace nodewise {

namespace {

Result<Lowered> lowerMinimizer(const NodeView& node) {
  const std::string method = node.node.params.value("method", nlohmann::json()).is_string()
                                 ? node.node.params["method"].get<std::string>()
                                 : "the default";
  return Lowered::unsupported(
      fmt::format("where a minimizer ends, to the last digits that are compared, depends on each step of "
                  "SciPy's own code for it (method {}); run this part of the model with the program that "
                  "made the graph",
                  method));
}

using Setting = std::pair<const char*, double*>;

/// Reads an object of numbers by name. A name that is not known makes the node unsupported: it is put into
/// `unknown`.
Result<void> readSettings(const NodeView& node, const std::string& path, const nlohmann::json& object,
                          std::initializer_list<Setting> settings, std::string& unknown) {
  if (!object.is_object()) return node.paramError(path, "expected an object");
  for (const auto& [name, value] : object.items()) {
    const auto setting = std::ranges::find_if(settings, [&](const Setting& s) { return name == s.first; });
    if (value.is_null() || (setting == settings.end() && name == "options")) continue;
    if (setting == settings.end())
      unknown = name;
    else if (!value.is_number())
      return node.paramError(path + "." + name, "expected a number");
    else
      *setting->second = value.get<double>();
  }
  return {};
}

/// The number of a setting as a count; 0 where it is not one.
int64_t countOf(double number) { return number >= 1 && number <= 1e9 ? static_cast<int64_t>(number) : 0; }

/// x0, others -> x, bool; the inner graph gives f and its derivatives.
Result<void> checkRoot(const NodeView& node, int derivatives) {
  NW_CHECK(checkArity(node, 1, -1, 2, 2));
  NW_CHECK(checkTensor(node, 0));
  const Type &x = node.in(0), &found = node.out(0), &success = node.out(1);
  if (isComplex(x.dtype)) return node.error("x0 has to be real");
  if (found.kind != Kind::Tensor || found.rank() != x.rank())
    return node.error(
        fmt::format("output 0 has to be like x0, {}, but is {}", shortText(x), shortText(found)));
  if ((success.kind != Kind::Scalar && success.kind != Kind::Tensor) || success.rank() != 0 ||
      success.dtype != DType::Bool)
    return node.error(
        fmt::format("output 1 has to be a bool scalar or 0-d tensor, but is {}", shortText(success)));
  if (!node.node.inner) return node.paramError("graph", "expected a graph");
  const Graph& inner = *node.node.inner;
  if (inner.inputs.size() != node.inputs())
    return node.paramError(
        "graph", fmt::format("expected a graph of {} inputs, found {}", node.inputs(), inner.inputs.size()));
  if (inner.outputs.size() < static_cast<size_t>(derivatives) + 1)
    return node.paramError("graph", fmt::format("expected the function and {} of its derivatives, found {} "
                                                "outputs",
                                                derivatives, inner.outputs.size()));
  for (size_t k = 0; k < node.inputs(); ++k) {
    const Type& type = inner.values[static_cast<size_t>(inner.inputs[k])].type;
    if (type.kind != node.in(k).kind || type.rank() != node.in(k).rank() || type.dtype != node.in(k).dtype)
      return node.paramError("graph", fmt::format("input {} is {} inside and {} outside", k, shortText(type),
                                                  shortText(node.in(k))));
  }
  for (const ValueId output : inner.outputs) {
    const Type& type = inner.values[static_cast<size_t>(output)].type;
    if ((type.kind != Kind::Tensor && type.kind != Kind::Scalar) || isComplex(type.dtype))
      return node.paramError("graph", "expected real outputs");
  }
  return {};
}

Lowered rootNode(const NodeView& node, ControlParams params) {
  params.inner = node.node.inner;
  Lowered lowered;
  lowered.kind = NodeKind::Prebuilt;
  lowered.control = std::make_shared<const ControlParams>(std::move(params));
  return lowered;
}

Result<Lowered> lowerRoot(const NodeView& node) {
  NW_TRY(const std::string method, textParam(node, "method", "hybr"));
  NW_TRY(const bool jacobian, boolParam(node, "jac", false));
  NW_CHECK(checkRoot(node, jacobian ? 1 : 0));
  if (method != "hybr" && method != "lm")
    return Lowered::unsupported(
        fmt::format("method {}: MINPACK has hybr and lm, the others are Python code of SciPy's", method));
  ControlParams params;
  params.kind = ControlParams::Kind::Root;
  RootParams& root = params.root;
  root.method = method == "lm" ? roots::Method::LevenbergMarquardt : roots::Method::Hybrid;
  root.derivatives = jacobian ? 1 : 0;
  const nlohmann::json all = node.node.params.value("optimizer_kwargs", nlohmann::json::object());
  std::string unknown;
  double calls = 0;
  roots::Limits& limits = root.limits;
  NW_CHECK(readSettings(node, "optimizer_kwargs", all, {{"tol", &limits.xtol}}, unknown));
  if (const auto options = all.find("options"); options != all.end())
    NW_CHECK(readSettings(node, "optimizer_kwargs.options", *options,
                          {{"xtol", &limits.xtol},
                           {"ftol", &limits.ftol},
                           {"gtol", &limits.gtol},
                           {"factor", &limits.factor},
                           {method == "lm" ? "maxiter" : "maxfev", &calls}},
                          unknown));
  if (!unknown.empty()) return Lowered::unsupported(fmt::format("the setting {} of SciPy's root", unknown));
  limits.calls = countOf(calls);
  return rootNode(node, std::move(params));
}

Result<Lowered> lowerRootScalar(const NodeView& node) {
  NW_TRY(const std::string method, textParam(node, "method", "newton"));
  NW_TRY(const bool jacobian, boolParam(node, "jac", false));
  NW_TRY(const bool hessian, boolParam(node, "hess", false));
  const int given = jacobian ? (hessian ? 2 : 1) : 0;
  NW_CHECK(checkRoot(node, given));
  if (node.in(0).rank() != 0) return node.error("x0 has to be 0-d");
  const int needed = method == "halley" ? 2 : method == "newton" ? 1 : 0;
  if ((method != "halley" && method != "newton" && method != "secant") || given < needed)
    return Lowered::unsupported(fmt::format("method {}{}: newton, halley and secant are supported", method,
                                            given < needed ? " without its derivatives" : ""));
  ControlParams params;
  params.kind = ControlParams::Kind::RootScalar;
  params.root.derivatives = needed;
  roots::ScalarLimits& limits = params.root.scalarLimits;
  double steps = 0, second = 0;
  std::string unknown;
  const nlohmann::json all = node.node.params.value("optimizer_kwargs", nlohmann::json::object());
  NW_CHECK(readSettings(
      node, "optimizer_kwargs", all,
      {{"xtol", &limits.xtol}, {"rtol", &limits.rtol}, {"maxiter", &steps}, {"x1", &second}}, unknown));
  if (all.contains("options")) unknown = "options";
  if (!unknown.empty())
    return Lowered::unsupported(fmt::format("the setting {} of SciPy's root_scalar", unknown));
  if (all.contains("x1") && !all["x1"].is_null()) limits.second = second;
  if (countOf(steps) > 0) limits.steps = countOf(steps);
  return rootNode(node, std::move(params));
}

Result<Lowered> lowerNumbaOnly(const NodeView&) {
  return Lowered::unsupported(
      "made for PyTensor's Numba backend only; export the graph before that backend rewrites it, "
      "or export the node as OpFromGraph");
}

constexpr std::string_view kOptimiserInputs = "x0, the objective's other inputs";

constexpr OpRow kRows[] = {
    {"BlockwiseWithCoreShape", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend; exporters write it as OpFromGraph."},
    {"IndexedElemwise", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend; exporters write it as OpFromGraph."},
    {"MinimizeOp", "optimizer", lowerMinimizer, 1, kOptimiserInputs,
     "Unsupported: SciPy's minimize. Where it ends, to the digits that are compared, depends on each of its "
     "steps."},
    {"MinimizeScalarOp", "optimizer", lowerMinimizer, 1, kOptimiserInputs,
     "Unsupported: SciPy's minimize_scalar. Where it ends, to the digits that are compared, depends on each "
     "of its steps."},
    {"RandomVariableWithCoreShape", "optimizer", lowerNumbaOnly, 1, "as its graph",
     "Unsupported: made for PyTensor's Numba backend; exporters write it as OpFromGraph."},
    {"RootOp", "optimizer", lowerRoot, 1, kOptimiserInputs,
     "x where the inner graph is zero, and whether that was reached: MINPACK's hybr (as many equations as "
     "unknowns) or lm (least squares), with the graph's Jacobian or forward differences."},
    {"RootScalarOp", "optimizer", lowerRootScalar, 1, kOptimiserInputs,
     "The 0-d x where the inner graph is zero, and whether that was reached: newton, halley or secant, by as "
     "many derivatives as the graph gives."},
};

} // namespace

std::span<const OpRow> optimiserOps() { return kRows; }

} // namespace nodewise
