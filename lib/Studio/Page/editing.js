// The model that is edited: its editor, its checks, saving it.

const PAUSE = 300; // of typing, before it is checked

class Editing {
  constructor(documents, work, aside) {
    this.documents = documents;
    this.model = null;
    this.editor = null;
    this.timer = 0;
    this.turn = 0; // counts edits and models
    this.asker = new Asker('check');
    this.results = new Results(aside, {
      point: (place) => this.editor && this.editor.point(place),
      run: (page, verdict) => this.showRun(page, verdict) });
    this.bar = el('div', { class: 'bar' });
    this.notice = el('div', { class: 'notice', role: 'status', hidden: true });
    this.place = el('div', { class: 'place' });
    this.runView = new RunView();
    clear(work).append(this.bar, this.notice, this.place, this.runView.root);
    this.showBar();
    this.welcome();
    documents.addEventListener('change', () => this.follow());
  }

  welcome() {
    clear(this.place).append(el('p', { class: 'welcome quiet',
      text: 'Choose a model on the left. It is checked as you edit it; nothing is written until you save it.' }));
  }

  // ---- Opening ----------------------------------------------------------

  async open(path) {
    const turn = ++this.turn;
    await this.flush();
    let model;
    try {
      model = await this.documents.get(path);
    } catch (error) {
      if (turn === this.turn) tell('The model cannot be opened', error.message);
      return;
    }
    if (turn === this.turn) await this.show(model);
  }

  async show(model) {
    const turn = ++this.turn;
    clearTimeout(this.timer);
    this.asker.forget();
    this.model = model;
    this.runView.hide();
    this.say('');
    if (this.editor) this.editor.close();
    this.editor = null;
    clear(this.place);
    this.documents.changed();
    this.results.pending();
    const editor = model.ending === 'bpmn' ? await this.openDiagram(model, turn)
      : await this.openText(model);
    if (turn !== this.turn) return editor && editor.close();
    this.editor = editor;
    this.check();
    return undefined;
  }

  async openText(model) {
    const editor = new TextEditor(this.place, () => this.edited());
    await editor.open(model.text);
    return editor;
  }

  // What the compiler makes of the file says which modeler is the one, and
  // draws what has no drawing.
  async openDiagram(model, turn) {
    let editor = null, trouble = '';
    try {
      const { drawing, hasModelers } = await describe(this.documents, model.path);
      if (turn !== this.turn) return null;
      if (!hasModelers) throw new Error('This build has no modelers');
      const isChoreography = drawing ? drawing.viewer === 'choreography' ||
        drawing.title.startsWith('choreography') : /<(\w+:)?choreography[\s>]/.test(model.text);
      editor = new DiagramEditor(this.place, isChoreography ? 'choreography' : 'bpmn',
                                 () => this.edited());
      const xml = (drawing && drawing.bpmn) || model.text;
      const warnings = await editor.open(xml);
      if (turn !== this.turn) return editor;
      if (warnings) this.say('The modeler does not keep all of this file: ' + warnings);
      else if (xml !== model.text)
        this.say('This file has no drawing. It was laid out; saving a change saves the drawing, too.');
      return editor;
    } catch (error) {
      trouble = error.message;
    }
    if (editor) editor.close();
    if (turn !== this.turn) return null;
    this.say(`${trouble}. The file is shown as text.`);
    return this.openText(model);
  }

  // ---- Edits and checks -------------------------------------------------

  edited() {
    ++this.turn;
    this.isPending = true;
    this.asker.forget();
    this.results.pending();
    if (this.editor) this.editor.show([]);
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), PAUSE);
    if (!this.saveButton.classList.contains('main')) this.showBar();
  }

  // Takes the text out of the editor.
  async flush() {
    if (!this.isPending || !this.editor) return;
    const { model, editor, turn } = this;
    const text = await editor.text();
    if (turn !== this.turn && editor !== this.editor) return;
    if (turn === this.turn) this.isPending = false;
    this.documents.edit(model, text);
  }

  async check() {
    clearTimeout(this.timer);
    const { model, editor, turn } = this;
    try {
      await this.flush();
      if (turn !== this.turn) return;
      const answer = await this.asker.ask({ action: 'check', file: model.path,
                                            edited: { [model.path]: model.text } });
      if (!answer || turn !== this.turn) return;
      this.results.show(answer, this.asker.revision);
      editor.show(answer.report ? foundIn(answer.report, model.path) : []);
      this.showNext(answer);
    } catch (error) {
      if (turn === this.turn) this.results.fail(error.message);
    }
  }

  // What can be made of the model.
  async showNext(answer) {
    const { model, turn } = this;
    clear(this.results.next);
    const { isChoreography } = await describe(this.documents, model.path);
    const isFlawed = answer.report?.verdicts.some((each) => each.verdict === 'violated');
    if (turn !== this.turn || !(isChoreography || (isFlawed && model.ending === 'bpmn'))) return;
    const button = (text, action, name, ending) => el('button', { type: 'button',
      'data-action': action, text, onclick: () => this.make(action, name, ending) });
    const stem = model.path.slice(0, -model.ending.length - 1);
    clear(this.results.next).append(el('h2', { text: 'Make' }));
    if (!isChoreography)
      this.results.next.append(button('A repair…', 'repair', stem + '-repaired.bpmn'));
    else this.results.next.append(
      button('The projection…', 'project', stem + '-projection.bpmn'),
      button('A repair…', 'amend', `${stem}-repaired.${model.ending}`));
  }

  async make(action, wish) {
    const { model } = this;
    await this.flush();
    await makeFile(this.documents, { action, file: model.path,
      edited: this.documents.edited([model.path]) }, wish, (path) => this.open(path));
  }

  showRun(page, verdict) {
    this.runView.show(page, verdict);
  }

  // ---- Saving, and the disk ---------------------------------------------

  say(text, ...buttons) {
    this.notice.hidden = !text;
    clear(this.notice).append(text, ...buttons);
  }

  showBar() {
    const { model } = this;
    const isEdited = model && (model.isEdited || this.isPending);
    this.saveButton = el('button', { type: 'button', class: isEdited ? 'save main' : 'save',
      title: 'Save (Ctrl-S)', disabled: !model, onclick: () => this.save(), text: 'Save' });
    clear(this.bar).append(
      el('span', { class: 'file', text: model ? model.path : 'No model' }),
      isEdited ? el('span', { class: 'quiet', text: 'edited' }) : '',
      el('span', { class: 'spacer' }),
      this.saveButton,
      el('button', { type: 'button', class: 'save-as', disabled: !model, onclick: () => this.saveAs(), text: 'Save as…' }));
  }

  // The disk or the documents have changed.
  follow() {
    const { model } = this;
    this.showBar();
    if (!model || !model.isChangedOnDisk) this.asked = undefined;
    if (!model || !model.isChangedOnDisk || this.asked === model.onDisk) return undefined;
    this.asked = model.onDisk;
    if (model.onDisk === null)
      return this.say(`'${model.path}' was removed from the disk. What is shown here can be saved again.`);
    if (!model.isEdited && !this.isPending) return this.reload('The file has changed on disk; this is its current content.');
    return this.say(`'${model.path}' has changed on disk since it was opened. `,
      el('button', { type: 'button', class: 'reload', onclick: () => this.reload(''),
                     text: 'Discard my edits and read it again' }));
  }

  async reload(text) {
    const { model } = this;
    this.isPending = false;
    await this.documents.reload(model);
    if (this.model !== model) return;
    await this.show(model);
    this.say(text);
  }

  async save(over) {
    if (!this.model) return;
    await this.flush();
    const { model } = this;
    try {
      await this.documents.save(model, over);
      this.say('');
    } catch (error) {
      if (error.status !== 409) {
        await tell('The model was not saved', error.message);
        return;
      }
      const answer = await question('The file has changed', `${error.message}. Overwrite it?`,
        [['Cancel', null], ['Read it again', 'reload'], ['Overwrite it', 'over', true]]);
      if (answer === 'over') await this.save(error.body.version);
      else if (answer === 'reload') await this.reload('');
    }
  }

  async saveAs() {
    await this.flush();
    const { model } = this;
    const taken = (path) => this.documents.listed.some((m) => m.path === path) ||
      this.documents.open.has(path);
    const path = await askForPath('Save as', freeName(model.path, taken), '', taken);
    if (!path) return;
    const copy = this.documents.add(path, model.text);
    await this.show(copy);
    await this.save();
  }
}

function runAddress(page, verdict) {
  const { theme } = document.documentElement.dataset;
  return `run/${page}#embedded=1&verdict=${verdict}${theme ? '&theme=' + theme : ''}`;
}

// The page of a run, over the editor.
class RunView {
  constructor() {
    this.frame = el('iframe', { class: 'run', title: 'Run', sandbox: 'allow-scripts' });
    this.root = el('div', { class: 'run-view', hidden: true },
      el('div', { class: 'bar' }, el('button', { type: 'button', class: 'back',
        onclick: () => this.hide(), text: '← Back to the model' })), this.frame);
  }

  show(page, verdict) {
    this.frame.src = runAddress(page, verdict);
    this.root.hidden = false;
    this.frame.focus();
  }

  hide() {
    this.root.hidden = true;
    this.frame.removeAttribute('src');
  }
}

// What the compiler reads in a model: who takes part, its drawing, whether it
// is a choreography. Kept as long as the text is the same.
const described = new Map();
async function describe(documents, path) {
  const model = documents.open.get(path);
  const listed = documents.listed.find((m) => m.path === path);
  const key = model && model.isEdited ? model.text : listed ? listed.version : '';
  const known = described.get(path);
  if (known && known.key === key) return known.value;
  const answer = await api.run('describe ' + path, 0,
    { action: 'describe', file: path, edited: documents.edited([path]) });
  const found = answer.models && answer.models[0];
  const drawing = found && found.drawings[0];
  const value = {
    drawing, participants: found ? found.participants : [],
    hasModelers: MODELERS,
    isChoreography: !!drawing && drawing.title === 'choreography',
    isCollaboration: !!drawing && drawing.title === 'collaboration',
  };
  described.set(path, { key, value });
  return value;
}

// Runs an action that makes a model, shows it, and writes it where the user says.
async function makeFile(documents, request, wish, onMade) {
  const asker = makeFile.asker ||= new Asker('make');
  let answer;
  try {
    answer = await asker.ask(request);
  } catch (error) {
    await tell('Nothing was made', error.message);
    return;
  }
  if (!answer) return;
  if (answer.made === undefined || answer.status === 2) {
    await tell('Nothing was made', troubleOf(answer) || answer.log.trim() ||
      sentenceOf(answer.report)[1]);
    return;
  }
  const taken = (path) => documents.listed.some((m) => m.path === path) ||
    documents.open.has(path);
  const path = await askForPath('A new model', freeName(wish, taken), answer.made, taken);
  if (!path) return;
  try {
    await documents.save(documents.add(path, answer.made));
    onMade(path);
  } catch (error) {
    documents.open.delete(path);
    documents.changed();
    await tell('The model was not saved', error.message);
  }
}
