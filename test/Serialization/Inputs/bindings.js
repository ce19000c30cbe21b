// Uses the package cif-modules. Usage: bindings.js PACKAGE SOURCES OUTPUT
const {join} = require('path');
const [pkg, root, output] = process.argv.slice(2);
const cif = require(pkg);
const examples = join(root, 'docs', 'examples');
const store = join(examples, 'store.cp');

const module_ = cif.load(store);
for (const behaviour of module_.behaviours)
  console.log(behaviour.name, behaviour.kind, ...behaviour.nodes.map(node => node.kind));
console.log(...module_.participants.map(participant => participant.name));
const request = cif.load(join(examples, 'shipping.ioc')).messages[0];
console.log(request.fieldName[0], request.fieldSort[0]);
const flags = cif.load(join(root, 'test', 'Serialization', 'Inputs', 'flags.cift'));
console.log(...flags.behaviours.flatMap(behaviour => behaviour.nodes)
  .filter(node => node.kind === 'Boundary').flatMap(node => node.flags));
for (const verdict of cif.check(store, '--check-realizable'))
  console.log(verdict.property, verdict.verdict, verdict.witness.steps[0].label);

module_.raw.participants.name[0] = module_.intern('Client');
module_.save(output);
console.log(cif.check(module_, '--check-realizable')[0].witness.steps[0].label);

for (const attempt of [() => cif.load('missing.cp'),
                       () => new cif.Module(Buffer.from('no module at all'))]) {
  try {
    attempt();
  } catch (error) {
    console.log(`refused ${error.status}: ${error.message}`);
  }
}

const text = cif.run('cif-dis', [store]).output.toString();
const same = cif.run('cif-dis', ['-'], cif.load(store).toBytes()).output.toString();
console.log(text === same ? 'unchanged' : 'changed');
