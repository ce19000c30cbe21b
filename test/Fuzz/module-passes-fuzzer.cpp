//===- module-passes-fuzzer.cpp - Pipelines over changed modules ----------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
/// Five bytes choose what to do, the rest is a module in binary form. Changed
/// bytes seldom are a module, so that the mutator knows what one is: it moves
/// flows, exchanges messages, changes kinds and drops what nothing refers to.
/// The verifier refuses some of what comes of it; passes get the rest.
///
//===----------------------------------------------------------------------===//

#include "PassFuzzer.h"
#include <cstring>
#include <random>

using namespace cif;

static constexpr size_t choiceBytes = fuzz::planBytes;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t most);

static bool readModule(const uint8_t *data, size_t size, Module &module,
                       DiagnosticEngine &diags) {
  StringRef bytes(reinterpret_cast<const char *>(data), size);
  return readBinary(llvm::MemoryBuffer::getMemBufferCopy(bytes, "input"),
                    module, diags) &&
         verify(module, diags);
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  if (size < choiceBytes)
    return 0;
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  Module module;
  if (!readModule(data + choiceBytes, size - choiceBytes, module, diags))
    return 0;
  fuzz::Bytes bytes({data, choiceBytes});
  fuzz::Plan plan = fuzz::planFrom(bytes);
  fuzz::abortOn(fuzz::runPlan(module, plan), "", plan);
  return 0;
}

/// One change to a behaviour that has nodes and flows.
static void change(Module &module, Behaviour &behaviour, std::mt19937 &random) {
  auto &nodes = behaviour.nodes;
  auto &flows = behaviour.flows;
  if (nodes.empty() || flows.empty())
    return;
  Node &node = nodes[random() % nodes.size()];
  Flow &flow = flows[random() % flows.size()];
  NodeId other(random() % nodes.size());
  switch (random() % 8) {
  case 0:
    flow.source = other;
    break;
  case 1:
    flow.target = other;
    break;
  case 2:
    flows.push_back(flow);
    flows.back().target = other;
    break;
  case 3:
    std::swap(flow, flows.back());
    flows.pop_back();
    break;
  case 4:
    if (!module.messages.empty())
      node.message = MessageId(random() % module.messages.size());
    break;
  case 5:
    node.kind = static_cast<NodeKind>(random() % numNodeKinds);
    break;
  case 6:
    std::swap(node.kind, nodes[other.index()].kind);
    std::swap(node.message, nodes[other.index()].message);
    break;
  default:
    flow.flags ^= DefaultFlow;
  }
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t most, unsigned seed) {
  std::mt19937 random(seed);
  SourceManager sources;
  DiagnosticCollector collected;
  DiagnosticEngine diags(sources, collected);
  Module module;
  if (size < choiceBytes || random() % 8 == 0)
    return LLVMFuzzerMutate(data, size, most);
  if (random() % 4 == 0)
    data[random() % choiceBytes] = static_cast<uint8_t>(random());
  if (!readModule(data + choiceBytes, size - choiceBytes, module, diags) ||
      module.behaviours.empty())
    return LLVMFuzzerMutate(data, size, most);
  for (unsigned n = 1 + random() % 3; n; --n)
    change(module, module.behaviours[random() % module.behaviours.size()],
           random);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  if (!writeBinary(module, os, diags) || bytes.size() + choiceBytes > most)
    return size;
  std::memcpy(data + choiceBytes, bytes.data(), bytes.size());
  return bytes.size() + choiceBytes;
}
