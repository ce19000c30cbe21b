//===- CountExchanges.cpp - A check in thirty lines -----------------------===//
//
// Holds when no choreography has more interactions than `most` says.
//
//===----------------------------------------------------------------------===//

#include "Chat.h"
#include "cif/Pass/FactBuilder.h"

using namespace cif;

static PassResult countExchanges(Module &module, PassContext &context) {
  std::optional<uint64_t> most = context.number("most");
  if (!most)
    return PassResult::Failed; // number() has said why
  for (const Behaviour &b : module.behaviours) {
    FactBuilder fact("few-exchanges",
                     "choreography '" + module.text(b.name) + "'",
                     module.place(b.loc));
    fact.by("counting").with("most", Twine(*most)).holds();
    uint64_t count = 0;
    for (const Node &n : b.nodes)
      if (n.kind == NodeKind::Interaction && ++count > *most) {
        // The witness: the first interaction that is too much.
        fact.violated(fact.subject + " has too many interactions");
        fact.at = module.place(n.loc);
        fact.show("elements").step(module.exchangeText(n.message), fact.at);
        break;
      }
    context.report(module, std::move(fact));
  }
  return PassResult::Unchanged;
}

static const DiagInfo diagnostics[] = {
    {"CHAT001", Severity::Error, "chat_line",
     "expected 'sender receiver message', found {0} words"}};
static const Explanation pages[] = {
    {"CHAT001", "# CHAT001: A line that is no message\n\n"
                "Each line of a chat says who sends what to whom: three words, "
                "such as `ann bob hello`.\n"}};
static diag::Kind firstDiagnostic;

diag::Kind chat::badLine() { return firstDiagnostic; }

void chat::registerParts(Registry &registry) {
  firstDiagnostic = registry.addDiagnostics(diagnostics, pages);
  registry.frontEnds.push_back(
      {"chat", "chat", "a chat, line by line", detectChat, parseChat});
  registry.passes.add({"check-few-exchanges",
                       PassGroup::Check,
                       "check that a chat is short",
                       "",
                       countExchanges,
                       {{"most", "N", "3", "how many are few", true}}});
}
