// What the checks say of each element.

class Findings {
  constructor(data) {
    this.of = new Map(); // by place: [{by, verdict, text, place}]
    data.verdicts.forEach((verdict) => {
      const seen = new Set();
      const add = (place, text) => {
        const key = placeKey(place);
        if (!key || seen.has(key + '\n' + text)) return;
        seen.add(key + '\n' + text);
        if (!this.of.has(key)) this.of.set(key, []);
        this.of.get(key).push({ by: verdict.property, verdict: verdict.verdict, text, place });
      };
      if (verdict.verdict !== 'holds')
        add(verdict.at, verdict.message || verdict.verdict);
      for (const note of verdict.notes || []) add(note.at, note.text);
      if (verdict.witness && verdict.witness.kind === 'elements')
        for (const step of verdict.witness.steps) add(step.at, step.label);
    });
    for (const diagnostic of data.diagnostics) {
      const key = placeKey(diagnostic.at);
      if (!key) continue;
      if (!this.of.has(key)) this.of.set(key, []);
      this.of.get(key).push({ by: diagnostic.code, verdict: diagnostic.severity,
                              text: diagnostic.text, place: diagnostic.at });
    }
  }

  // What is said of an element, each thing once, with the checks that say it.
  at(keys) {
    const merged = new Map();
    for (const each of keys.flatMap((key) => this.of.get(key) || [])) {
      const same = merged.get(each.text);
      if (!same) merged.set(each.text, { ...each, by: [each.by] });
      else if (!same.by.includes(each.by)) same.by.push(each.by);
    }
    return [...merged.values()].map(({ verdict, text, by }) =>
      ({ verdict, text: `${by.join(', ')}: ${text}` }));
  }
}

// Which of the verdicts comes first on the page: the worst.
function worstOf(verdicts) {
  for (const wanted of ['violated', 'inconclusive', 'holds']) {
    const index = verdicts.findIndex((v) => v.verdict === wanted);
    if (index >= 0) return index;
  }
  return -1;
}

const SIGNS = { holds: '✓', violated: '✗', inconclusive: '?' };

function sign(verdict) {
  return el('span', { class: 'sign ' + verdict, 'aria-hidden': 'true' },
            SIGNS[verdict] || '!');
}

// The property, or which of the problems of check-health it is about.
function propertyText(verdict) {
  return verdict.property === 'health' && verdict.subject.includes(': ')
    ? 'no ' + verdict.subject.slice(verdict.subject.lastIndexOf(': ') + 2) : verdict.property;
}

// The answer of a run in one sentence.
function sentenceOf(data) {
  const count = (word) => data.verdicts.filter((v) => v.verdict === word).length;
  const errors = data.diagnostics.filter((d) => d.severity === 'error');
  if (errors.length)
    return ['violated', errors.length === 1 ? errors[0].text
      : `${errors.length} errors: ${errors[0].text}`];
  const violated = count('violated'), unknown = count('inconclusive');
  const n = data.verdicts.length;
  if (violated)
    return ['violated', `${violated} of ${n} ${n === 1 ? 'check' : 'checks'} ${
      violated === 1 ? 'is' : 'are'} violated`];
  if (unknown)
    return ['inconclusive', `${unknown} of ${n} ${
      n === 1 ? 'check' : 'checks'} could not be decided`];
  if (!n) return ['holds', 'Nothing was checked'];
  return ['holds', n === 1 ? 'The check holds' : `All ${n} checks hold`];
}
