// Puts the studio together.

// Beginnings of new models, by ending.
const NEW_MODELS = {
  bpmn: `<?xml version="1.0" encoding="UTF-8"?>
<definitions xmlns="http://www.omg.org/spec/BPMN/20100524/MODEL" xmlns:bpmndi="http://www.omg.org/spec/BPMN/20100524/DI" xmlns:dc="http://www.omg.org/spec/DD/20100524/DC" id="definitions" targetNamespace="http://example.org/models">
  <collaboration id="collaboration">
    <participant id="pool" name="Participant" processRef="process"/>
  </collaboration>
  <process id="process" isExecutable="false">
    <startEvent id="start"/>
  </process>
  <bpmndi:BPMNDiagram id="diagram">
    <bpmndi:BPMNPlane id="plane" bpmnElement="collaboration">
      <bpmndi:BPMNShape id="pool_di" bpmnElement="pool" isHorizontal="true">
        <dc:Bounds x="160" y="80" width="600" height="250"/>
      </bpmndi:BPMNShape>
      <bpmndi:BPMNShape id="start_di" bpmnElement="start">
        <dc:Bounds x="232" y="187" width="36" height="36"/>
      </bpmndi:BPMNShape>
    </bpmndi:BPMNPlane>
  </bpmndi:BPMNDiagram>
</definitions>
`,
  ioc: `choreography New {
  a -> b : hello ;
  b -> a : answer
}
`,
  cp: `protocol New {
  initial s0  final s2
  s0 -> s1 : a -> b : hello
  s1 -> s2 : b -> a : answer
}
`,
};

class ModelList {
  constructor(documents, nav, on) {
    this.documents = documents;
    this.on = on;
    this.list = el('ul', { class: 'models' });
    clear(nav).append(el('div', { class: 'line' }, el('h2', { text: 'Models' }),
      el('span', { class: 'spacer' }),
      el('button', { type: 'button', class: 'new', onclick: () => this.make(), text: 'New…' })), this.list);
    documents.addEventListener('change', () => this.draw());
  }

  draw() {
    const paths = new Set([...this.documents.listed.map((m) => m.path), ...this.documents.open.keys()]);
    const shown = [...paths].sort().map((path) => {
      const model = this.documents.open.get(path);
      return { path, isEdited: !!model && model.isEdited, isOther: !!model && model.isChangedOnDisk,
               isOpen: path === this.on.current() };
    });
    const key = JSON.stringify([shown, this.documents.isCut]);
    if (key === this.drawn) return;
    this.drawn = key;
    clear(this.list).append(...shown.map(({ path, isEdited, isOther, isOpen }) => el('li', {},
      el('button', { type: 'button', 'data-path': path, 'aria-current': isOpen ? 'true' : null,
                     title: path, onclick: () => this.on.open(path) },
        path, isEdited ? el('span', { class: 'dot', title: 'edited', text: ' ●' }) : '',
        isOther ? el('span', { class: 'other', title: 'changed on disk', text: ' ↻' }) : ''))));
    if (!shown.length)
      this.list.append(el('li', { class: 'quiet', text: 'No .bpmn, .ioc or .cp file here.' }));
    if (this.documents.isCut)
      this.list.append(el('li', { class: 'quiet', text: 'There are more; serve a smaller folder.' }));
  }

  async make() {
    const taken = (path) => this.documents.listed.some((m) => m.path === path) ||
      this.documents.open.has(path);
    const path = await askForPath('A new model', freeName('new.bpmn', taken), '', taken);
    if (!path) return;
    this.documents.add(path, NEW_MODELS[path.split('.').pop()]);
    this.on.open(path);
  }
}

class Studio {
  constructor() {
    this.documents = new Documents();
    this.top = document.getElementById('top');
    this.editing = new Editing(this.documents, document.getElementById('work'),
                               document.getElementById('results'));
    this.roles = new Roles(this.documents, document.getElementById('roles'), (path) => {
      this.show('models');
      this.editing.open(path);
    });
    this.list = new ModelList(this.documents, document.getElementById('models'), {
      open: (path) => this.editing.open(path),
      current: () => this.editing.model && this.editing.model.path });
    this.showTop();
    this.follow();
    document.addEventListener('keydown', (event) => {
      if ((event.ctrlKey || event.metaKey) && event.key === 's') {
        event.preventDefault();
        this.editing.save();
      }
    });
    window.addEventListener('beforeunload', (event) => {
      if (this.documents.hasEdits || this.editing.isPending) event.preventDefault();
    });
    window.addEventListener('pagehide', () => {
      for (const slot of ['check', 'roles', 'make']) api.cancel(slot);
    });
  }

  showTop() {
    const tab = (name, text) => el('button', { type: 'button', role: 'tab', 'data-tab': name,
      'aria-selected': 'false', onclick: () => this.show(name), text });
    this.folder = el('span', { class: 'folder quiet' });
    clear(this.top).append(el('span', { class: 'brand', text: 'CIF studio' }),
      el('div', { role: 'tablist', class: 'tabs' }, tab('models', 'Models'), tab('roles', 'Roles')),
      this.folder, el('span', { class: 'spacer' }), themeButton());
    this.show('models');
  }

  async show(name) {
    for (const button of this.top.querySelectorAll('[data-tab]'))
      button.setAttribute('aria-selected', String(button.dataset.tab === name));
    document.getElementById('main').hidden = name !== 'models';
    document.getElementById('roles').hidden = name !== 'roles';
    if (name !== 'roles') return;
    await this.editing.flush();
    this.roles.open();
  }

  // The disk is looked at every two seconds while somebody looks at the page.
  async follow() {
    try {
      if (!document.hidden) await this.documents.refresh();
      this.folder.textContent = this.documents.folder;
      this.folder.classList.remove('lost');
    } catch (error) {
      this.folder.textContent = error.message;
      this.folder.classList.add('lost');
    }
    setTimeout(() => this.follow(), 2000);
  }
}

window.studio = new Studio();
