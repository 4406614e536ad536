// nodewise ops: what is supported, generated from the tables of ops and scalar ops.
#include "command.h"
#include "text.h"

#include "ops/examples.h"
#include "ops/op.h"
#include "ops/param_docs.h"
#include "ops/scalar_op.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace nodewise {

namespace {

std::string domainText(uint8_t domain) {
  std::string text;
  auto add = [&](uint8_t bit, std::string_view word) {
    if (domain & bit) text += (text.empty() ? "" : ", ") + std::string(word);
  };
  add(OnBool, "bool");
  add(OnInteger, "integers");
  add(OnFloat, "floats");
  add(OnComplex, "complex");
  return text;
}

/// Params of an op, with their meaning.
std::vector<ParamDoc> paramsOf(std::string_view op) {
  std::vector<ParamDoc> params;
  for (const ParamDoc& doc : paramDocs())
    if (doc.op == op) params.push_back(doc);
  return params;
}

/// The dtypes that an op was lowered on, tried with its examples.
std::vector<std::string> dtypeNames(const std::vector<GraphFile>& examples) {
  std::vector<std::string> names;
  for (const GraphFile& example : examples)
    for (const DType dtype : dtypesOf(example))
      if (std::ranges::find(names, dtypeName(dtype)) == names.end()) names.emplace_back(dtypeName(dtype));
  return names;
}

std::string inputCount(const ScalarOpRow& row) {
  return row.mostInputs < 0 ? fmt::format("{} or more", row.leastInputs) : std::to_string(row.leastInputs);
}

nlohmann::json opJson(const OpRow* op, const ScalarOpRow* scalar, const std::vector<GraphFile>& examples) {
  nlohmann::json out{{"dtypes", dtypeNames(examples)}, {"examples", nlohmann::json::array()}};
  for (const GraphFile& example : examples) out["examples"].push_back(exampleText(example));
  if (op) {
    out["op"] = {{"family", op->family}, {"inputs", op->inputs}, {"version", op->version}, {"doc", op->doc}};
    for (const ParamDoc& param : paramsOf(op->name)) out["op"]["params"][std::string(param.name)] = param.doc;
  }
  if (scalar)
    out["scalar op"] = {{"inputs", inputCount(*scalar)},
                        {"on", domainText(scalar->domain)},
                        {"version", scalar->version},
                        {"doc", scalar->doc}};
  return out;
}

Exit printOp(const std::string& name, bool json) {
  const OpRow* op = findOp(name);
  const ScalarOpRow* scalar = findScalarOp(name);
  if (!op && !scalar)
    return fail({fmt::format("no op \"{}\"", name), {}, "nodewise ops lists all", {}}, Exit::Usage);
  Result<std::vector<GraphFile>> examples = examplesOf(name);
  if (!examples) return fail(examples.error(), Exit::NoEnvironment);
  if (json) {
    nlohmann::json out = opJson(op, scalar, *examples);
    out["name"] = name;
    fmt::print("{}\n", out.dump(1));
    return Exit::Fine;
  }
  // A scalar op's row among the ops says what its own row says.
  if (op && !scalar) {
    fmt::print("{} ({})\n  {}\n  inputs: {}\n  version: {}\n", op->name, op->family, op->doc, op->inputs,
               op->version);
    for (const ParamDoc& param : paramsOf(name)) fmt::print("  param {}: {}\n", param.name, param.doc);
  }
  if (scalar)
    fmt::print("{} (scalar op: of Elemwise, in fused graphs, and a node of its own{})\n  {}\n  inputs: {}\n  "
               "on: {}\n  version: {}\n",
               scalar->name,
               scalar->code == ScalarCode::Lanewise ? "; one element at a time" : "; vectorised", scalar->doc,
               inputCount(*scalar), domainText(scalar->domain), scalar->version);
  if (!examples->empty()) fmt::print("  tried on: {}\n", fmt::join(dtypeNames(*examples), ", "));
  for (const GraphFile& example : *examples) fmt::print("  example: {}\n", exampleText(example));
  return Exit::Fine;
}

/// Rows of the table of ops that are programs of scalar ops (composite, scalar_loop): listed among these.
bool isScalarProgram(const OpRow& row) { return row.family == "scalar" && !findScalarOp(row.name); }

Exit runOps(const std::string& name, bool json) {
  if (!name.empty()) return printOp(name, json);
  nlohmann::json ops = nlohmann::json::array(), scalars = nlohmann::json::array();
  TextTable table({"op", "family", "meaning"}, {}), scalarTable({"scalar op", "on", "meaning"}, {});
  for (const OpRow& row : opTable()) {
    if (row.family == "scalar") continue;
    ops.push_back({{"name", row.name},
                   {"family", row.family},
                   {"supported", !row.doc.starts_with("Unsupported:")},
                   {"version", row.version},
                   {"doc", row.doc}});
    table.add({std::string(row.name), std::string(row.family), std::string(row.doc)});
  }
  const auto addScalar = [&](std::string_view scalar, const std::string& on, int version,
                             std::string_view doc) {
    scalars.push_back({{"name", scalar}, {"on", on}, {"version", version}, {"doc", doc}});
    scalarTable.add({std::string(scalar), on, std::string(doc)});
  };
  for (const ScalarOpRow& row : scalarOpTable())
    addScalar(row.name, domainText(row.domain), row.version, row.doc);
  for (const OpRow& row : opTable())
    if (isScalarProgram(row)) addScalar(row.name, "as its graph", row.version, row.doc);
  if (json)
    fmt::print("{}\n", nlohmann::json{{"version", 1}, {"ops", ops}, {"scalar ops", scalars}}.dump(1));
  else
    fmt::print("{}\n{}\n{} ops, {} scalar ops (each in Elemwise, in fused graphs, and a node of its own); "
               "nodewise ops NAME says more\n",
               table.text(100), scalarTable.text(100), ops.size(), scalars.size());
  return Exit::Fine;
}

} // namespace

void addOps(CLI::App& app, CommonOptions& common, Invocation& invocation) {
  CLI::App* command =
      app.add_subcommand("ops", "List the ops and scalar ops, or describe one.\nExample: nodewise ops Scan");
  auto name = std::make_shared<std::string>();
  command->add_option("NAME", *name, "One op or scalar op");
  command->add_flag("--json", common.json, "Machine-readable output");
  command->callback([&, name] { invocation.run = [&, name] { return runOps(*name, common.json); }; });
}

} // namespace nodewise
