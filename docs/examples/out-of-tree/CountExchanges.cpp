//===- CountExchanges.cpp - A check in forty lines ------------------------===//
//
// Holds when no choreography has more interactions than `most` says.
//
//===----------------------------------------------------------------------===//

#include "Chat.h"

using namespace cif;

namespace {
class CountExchanges : public Pass {
public:
  PassResult run(Module &module, PassContext &context) override {
    std::optional<uint64_t> most = context.number("most");
    if (!most)
      return PassResult::Failed; // number() has said why
    for (const Behaviour &b : module.behaviours) {
      Fact fact;
      fact.property = "few-exchanges";
      fact.subject = ("choreography '" + module.text(b.name) + "'").str();
      fact.parameters = {{"most", std::to_string(*most)}};
      fact.exact = true;
      fact.method = "counting";
      fact.verdict = Verdict::Holds;
      uint64_t count = 0;
      for (const Node &n : b.nodes)
        if (n.kind == NodeKind::Interaction && ++count > *most) {
          // The witness: the first interaction that is too much.
          fact.verdict = Verdict::Violated;
          fact.message = fact.subject + " has too many interactions";
          fact.at = module.place(n.loc);
          fact.witness.emplace();
          fact.witness->kind = "elements";
          fact.witness->steps.push_back(
              {module.exchangeText(n.message), fact.at, ""});
          break;
        }
      context.report(module, std::move(fact));
    }
    return PassResult::Unchanged;
  }
};
} // namespace

std::unique_ptr<Pass> chat::createCountExchangesPass() {
  return std::make_unique<CountExchanges>();
}

void chat::registerParts(Registry &registry) {
  registry.frontEnds.push_back(
      {"chat", "chat", "a chat, line by line", detectChat, parseChat});
  registry.passes.add({"check-few-exchanges",
                       PassGroup::Check,
                       "check that a chat is short",
                       "",
                       createCountExchangesPass,
                       {{"most", "N", "3", "how many are few", true}}});
}
