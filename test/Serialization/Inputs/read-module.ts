// Prints what a module holds, read with the classes that flatc generates.
// Usage: read-module MODULE
import {readFileSync} from 'fs';
import {ByteBuffer} from 'flatbuffers';
import {BehaviourKind, LabelKind, Module, NodeFlags, NodeKind, Verdict}
  from 'cif_generated';

const module = Module.getRootAsModule(new ByteBuffer(
  new Uint8Array(readFileSync(process.argv[2]))));
const bytes = module.stringBytesArray()!;

function text(index: number): string {
  if (index === 0) return '';
  const begin = index === 1 ? 0 : module.stringEnds(index - 2)!;
  return new TextDecoder().decode(
    bytes.subarray(begin, module.stringEnds(index - 1)!));
}

const lines: string[] = [];
for (let i = 0; i < module.behavioursLength(); ++i) {
  const behaviour = module.behaviours(i)!, nodes = behaviour.nodes()!;
  lines.push(`behaviour ${text(behaviour.name())} ${BehaviourKind[behaviour.kind()]}`);
  for (let n = 0; n < nodes.kindLength(); ++n) {
    const words = ['  node', NodeKind[nodes.kind(n)!]];
    for (let bit = 1; bit <= NodeFlags.BindsArguments; bit *= 2)
      if (nodes.flagsLength() && nodes.flags(n)! & bit) words.push(NodeFlags[bit]);
    lines.push(words.join(' '));
  }
}
for (let i = 0; i < module.systemsLength(); ++i) {
  const system = module.systems(i)!;
  lines.push(`system ${text(system.name())}`);
  for (let label = 0; label < system.labelKindLength(); ++label)
    lines.push(`  label ${LabelKind[system.labelKind(label)!]} `
               + text(system.labelMessage(label) ?? 0));
}
for (let i = 0; i < module.factsLength(); ++i) {
  const fact = module.facts(i)!;
  lines.push(`fact ${text(fact.property())} ${Verdict[fact.verdict()]}`);
}
console.log(lines.join('\n'));
