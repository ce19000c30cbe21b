//===- Pipeline.cpp - Pipelines as text -----------------------------------===//
//
// Part of CIF, a compiler toolchain for choreographies.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
//===----------------------------------------------------------------------===//
///
/// \file
///   pipeline = [ pass { "," pass } ]
///   pass     = name [ "{" [ option { "," option } ] "}" ]
///   option   = name [ "=" value ]            (no value: "true")
///
/// A value ends at a comma or brace, unless it is quoted.
///
//===----------------------------------------------------------------------===//

#include "cif/IR/Names.h"
#include "cif/Pass/PassManager.h"
#include "cif/Support/Diagnostics/Pass.h"

using namespace cif;

namespace {
class PipelineParser {
public:
  PipelineParser(StringRef text, StringRef origin, const PassRegistry &registry,
                 DiagnosticEngine &diags)
      : text(text), origin(origin), registry(registry), diags(diags) {}

  bool parse(Pipeline &pipeline) {
    skipBlanks();
    if (at == text.size())
      return true;
    do {
      if (!parsePass(pipeline))
        return false;
      skipBlanks();
    } while (consume(','));
    return at == text.size() || expected("',' or the end");
  }

private:
  void skipBlanks() {
    at = std::min(text.find_first_not_of(" \t\n", at), text.size());
  }
  bool consume(char c) {
    skipBlanks();
    if (at >= text.size() || text[at] != c)
      return false;
    ++at;
    skipBlanks();
    return true;
  }
  Place place(size_t offset) const {
    return {origin.str(), 1, static_cast<uint32_t>(offset + 1), ""};
  }
  bool expected(const char *what) {
    diags.report(place(at), diag::pipeline_syntax)
        << what
        << (at < text.size() ? "'" + text.substr(at, 1) + "'"
                             : Twine("the end"));
    return false;
  }
  StringRef word() {
    size_t begin = at;
    while (at < text.size() && (isWordChar(text[at]) || text[at] == '-'))
      ++at;
    return text.slice(begin, at);
  }

  bool parsePass(Pipeline &pipeline) {
    skipBlanks();
    size_t begin = at;
    StringRef name = word();
    if (name.empty())
      return expected("the name of a pass");
    const PassInfo *info = registry.find(name);
    if (!info) {
      diags.report(place(begin), diag::unknown_pass)
          << name << origin << (begin + 1) << guessText(registry.suggest(name));
      return false;
    }
    pipeline.push_back({info, {}});
    if (!consume('{') || consume('}'))
      return true;
    do {
      if (!parseOption(pipeline.back()))
        return false;
    } while (consume(','));
    return consume('}') || expected("',' or '}'");
  }

  bool parseOption(PipelineEntry &entry) {
    size_t begin = at;
    StringRef name = word();
    if (name.empty())
      return expected("the name of an option");
    if (!entry.info->findOption(name)) {
      std::vector<StringRef> names;
      for (const PassOptionInfo &o : entry.info->options)
        names.push_back(o.name);
      diags.report(place(begin), diag::unknown_pass_option)
          << entry.info->name << name << guessText(nearest(name, names));
      return false;
    }
    std::string value = "true";
    if (consume('=')) {
      StringRef rest = text.substr(at);
      if (rest.starts_with("\"")) {
        if (!takeName(rest, value))
          return expected("a closing quote");
        at = text.size() - rest.size();
      } else {
        StringRef plain = rest.take_until([](char c) {
                                return c == ',' || c == '}' || c == '{';
                              })
                              .rtrim();
        value = plain.str();
        at += plain.size();
      }
    }
    if (!entry.options.try_emplace(name, value).second) {
      diags.report(place(begin), diag::repeated_pass_option)
          << entry.info->name << name;
      return false;
    }
    return true;
  }

  StringRef text, origin;
  const PassRegistry &registry;
  DiagnosticEngine &diags;
  size_t at = 0;
};
} // namespace

bool cif::parsePipeline(StringRef text, StringRef origin,
                        const PassRegistry &registry, DiagnosticEngine &diags,
                        Pipeline &pipeline) {
  // The user's own string is the source that the caret stands in.
  diags.sources().add(origin,
                      llvm::MemoryBuffer::getMemBufferCopy(text, origin));
  return PipelineParser(text, origin, registry, diags).parse(pipeline);
}
