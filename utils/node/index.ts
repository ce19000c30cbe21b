// Modules of CIF in Node: read them, change them, write them, check them.
//
// A thin layer on the schema, whose classes `flatc` generates, and on the tools,
// which are looked for on PATH or in the folder that CIF_BIN names.
//
//   const cif = require('cif-modules');
//   const module = cif.load('shop.bpmn');        // anything that the tools read
//   for (const behaviour of module.behaviours)
//     console.log(behaviour.name, behaviour.nodes.map(node => node.kind));
//   for (const verdict of cif.check('shop.bpmn', '--check-realizable'))
//     console.log(verdict.property, verdict.verdict);
import {spawnSync} from 'child_process';
import {writeFileSync} from 'fs';
import {devNull} from 'os';
import {join} from 'path';
import {Builder, ByteBuffer} from 'flatbuffers';
import * as fb from 'cif_generated';

type Row = Record<string, any>;

const none = 0xffffffff; // as an index; null here
const kinds: Record<string, Record<string, any>> = {
  nodes: {kind: fb.NodeKind, trigger: fb.Trigger, loop: fb.LoopKind, flags: fb.NodeFlags},
  flows: {flags: fb.FlowFlags},
  exprs: {op: fb.ExprOp},
};
const strings = new Set(['name', 'path', 'language', 'sha256', 'fieldName', 'literals']);
// The column that every row has, and columns with several entries for a row: these
// end where another column says.
const required: Record<string, string> = {
  sources: 'path', participants: 'name', messages: 'name', enumerations: 'name',
  exprs: 'op', nodes: 'kind', flows: 'source', messageFlows: 'message',
};
const several: Record<string, string> = {
  fieldName: 'fieldsEnd', fieldSort: 'fieldsEnd', arguments: 'argumentsEnd',
  literals: 'literalsEnd',
};
// What an absent column stands for, where it is not null.
const absent: Row = {
  minimum: 1, maximum: 1, trigger: 'None', loop: 'None', flags: [], name: '',
  language: '', sha256: '', value: 0n, sort: 0, loopMinimum: 0, loopMaximum: 0,
};

/** A tool refused its input: `status` 2, with its words. */
export class CifError extends Error {
  constructor(readonly status: number, text: string) { super(text.trim()); }
}

/** A module. `raw` has every column as the schema says; the properties show the
 *  tables as rows, with names for strings and enumerators. */
export class Module {
  readonly raw: fb.ModuleT;
  private readonly texts: string[] = [''];
  private readonly indexes = new Map<string, number>([['', 0]]);

  constructor(content: Uint8Array) {
    const bytes = new Uint8Array(content);
    if (Buffer.from(bytes.subarray(4, 8)).toString() !== 'CIF1')
      throw new CifError(2, 'not a module of CIF');
    this.raw = fb.Module.getRootAsModule(new ByteBuffer(bytes)).unpack();
    const pool = Buffer.from(this.raw.stringBytes);
    let begin = 0;
    for (const end of this.raw.stringEnds) {
      this.intern(pool.subarray(begin, end).toString());
      begin = end;
    }
  }

  /** The string with this index. */
  string(index: number): string { return this.texts[index]; }

  /** The index of a string, which is added where it is new. */
  intern(text: string): number {
    if (!this.indexes.has(text)) {
      this.indexes.set(text, this.texts.length);
      this.texts.push(text);
    }
    return this.indexes.get(text)!;
  }

  /** The binary form. */
  toBytes(): Uint8Array {
    const encoded = this.texts.slice(1).map(text => Buffer.from(text));
    let end = 0;
    this.raw.stringEnds = encoded.map(text => end += text.length);
    this.raw.stringBytes = [...Buffer.concat(encoded)];
    const builder = new Builder(1024);
    builder.finish(this.raw.pack(builder), 'CIF1');
    return builder.asUint8Array();
  }

  /** Writes the binary form. The tools verify what they read. */
  save(path: string): void { writeFileSync(path, this.toBytes()); }

  get name(): string { return this.string(this.raw.name); }
  get sources(): Row[] { return this.rows('sources', this.raw.sources); }
  get participants(): Row[] { return this.rows('participants', this.raw.participants); }
  get enumerations(): Row[] { return this.rows('enumerations', this.raw.enumerations); }
  get messages(): Row[] { return this.rows('messages', this.raw.messages); }
  get expressions(): Row[] { return this.rows('exprs', this.raw.exprs); }
  get messageFlows(): Row[] { return this.rows('messageFlows', this.raw.messageFlows); }

  get behaviours(): Row[] {
    return this.raw.behaviours.map(b => ({
      name: this.string(b.name), kind: fb.BehaviourKind[b.kind], owner: index(b.owner),
      nodes: this.rows('nodes', b.nodes), flows: this.rows('flows', b.flows), raw: b,
    }));
  }

  get systems(): Row[] {
    return this.raw.systems.map(s => ({
      name: this.string(s.name), role: fb.SystemRole[s.role], owner: index(s.owner),
      states: Math.max(s.rowBegin.length - 1, 0), transitions: s.label.length, raw: s,
    }));
  }

  get facts(): Row[] {
    return this.raw.facts.map(f => ({
      property: this.string(f.property), subject: this.string(f.subject),
      verdict: fb.Verdict[f.verdict].toLowerCase(), exact: f.exact,
      method: this.string(f.method), message: this.string(f.message), raw: f,
    }));
  }

  private rows(which: string, table: any): Row[] {
    if (!table) return [];
    const rows: Row[] = table[required[which]].map(() => ({}));
    for (const column of Object.keys(table)) {
      const name = column.replace(/_$/, ''); // flatc's way with words of TypeScript
      if (name === 'locations' || name.endsWith('End')) continue;
      const cells = table[column].map((value: any) => this.cell(which, name, value));
      const ends = [0, ...(table[several[name]] ?? [])];
      rows.forEach((row, i) => {
        if (several[name]) row[name] = cells.slice(ends[i] ?? 0, ends[i + 1] ?? 0);
        else row[name] = cells.length ? cells[i] : absent[name] ?? null;
      });
    }
    return rows;
  }

  private cell(which: string, name: string, value: any): any {
    const enumeration = kinds[which]?.[name];
    if (name === 'flags')
      return Object.keys(enumeration).filter(bit => +bit && value & +bit)
        .map(bit => enumeration[bit]);
    if (enumeration) return enumeration[value];
    return strings.has(name) ? this.string(value) : index(value);
  }
}

function index(value: any): any { return value === none ? null : value; }

/** Runs a tool of CIF; `content` becomes its standard input. Throws `CifError`
 *  where its exit status is 2. */
export function run(tool: string, args: string[], content?: Uint8Array) {
  const folder = process.env.CIF_BIN;
  const done = spawnSync(folder ? join(folder, tool) : tool, args,
                         {input: content ?? '', maxBuffer: 1 << 30});
  if (done.error) throw done.error;
  const errors = done.stderr.toString();
  if (![0, 1, 3].includes(done.status ?? -1))
    throw new CifError(done.status ?? -1,
                       errors || `${tool} ended with ${done.status ?? done.signal}`);
  return {status: done.status!, output: done.stdout, errors};
}

/** The module that is in, or is compiled from, the file `path`. */
export function load(path: string): Module {
  return new Module(run('cifc', ['--emit=cif', '-q', path, '-o', '-']).output);
}

/** Checks a file or a `Module` and returns its verdicts, as
 *  schema/verdict.schema.json has them. Without options all checks are made. */
export function check(model: string | Module, ...options: string[]): Row[] {
  const content = model instanceof Module ? model.toBytes() : undefined;
  const {output} = run('cifc', [
    ...(options.length ? options : ['--check']), '-q', '--verdicts=-', '-o', devNull,
    model instanceof Module ? '-' : model], content);
  return output.toString().split('\n').filter(line => line).map(line => JSON.parse(line));
}
