// The models: what the disk has, and what is edited here. Whoever shows them
// listens for changes.

class Model {
  constructor(path, text, version) {
    this.path = path;
    this.text = text;       // as it is edited
    this.saved = text;      // as it was read or written last
    this.version = version; // of what the disk had then; empty: a new file
    this.onDisk = version;  // of what the disk has now; null: removed
  }

  get isEdited() { return this.text !== this.saved || !this.version; }
  get isChangedOnDisk() { return this.onDisk !== this.version; }
  get ending() { return this.path.split('.').pop(); }
}

class Documents extends EventTarget {
  constructor() {
    super();
    this.folder = '';
    this.listed = [];      // {path, version}
    this.isCut = false;
    this.open = new Map(); // by path
    this.writes = 0;       // begun or ended; what was listed meanwhile is old
  }

  changed() { this.dispatchEvent(new Event('change')); }

  get hasEdits() { return [...this.open.values()].some((m) => m.isEdited); }

  // Looks at the disk again.
  async refresh() {
    const { writes } = this;
    const { folder, models, isCut } = await api.models();
    if (writes !== this.writes || writes % 2) return;
    const before = JSON.stringify(this.listed);
    this.folder = folder;
    this.listed = models;
    this.isCut = isCut;
    const versions = new Map(models.map((m) => [m.path, m.version]));
    let changed = before !== JSON.stringify(models);
    for (const model of this.open.values()) {
      const now = versions.get(model.path) ?? (model.version ? null : '');
      if (now !== model.onDisk) changed = true;
      model.onDisk = now;
    }
    if (changed) this.changed();
  }

  async get(path) {
    if (!this.open.has(path)) {
      const { text, version } = await api.file(path);
      // Asked twice, answered twice: the first is the one.
      if (!this.open.has(path)) this.open.set(path, new Model(path, text, version));
    }
    return this.open.get(path);
  }

  add(path, text) {
    const model = new Model(path, text, '');
    this.open.set(path, model);
    this.changed();
    return model;
  }

  edit(model, text) {
    if (model.text === text) return;
    model.text = text;
    this.changed();
  }

  async reload(model) {
    const { text, version } = await this.writing(() => api.file(model.path));
    Object.assign(model, { text, saved: text, version, onDisk: version });
    this.changed();
  }

  // One at a time: whoever writes waits for the one before.
  writing(run) {
    const turn = (this.last || Promise.resolve()).catch(() => {}).then(async () => {
      ++this.writes;
      try {
        return await run();
      } finally {
        ++this.writes;
      }
    });
    this.last = turn;
    return turn;
  }

  // \p over: the version that may be written over.
  async save(model, over = model.version) {
    const { text } = model;
    const { version } = await this.writing(() => api.save(model.path, text, over));
    Object.assign(model, { saved: text, version, onDisk: version });
    await this.refresh();
    this.changed();
  }

  // Texts that differ from the disk, of \p paths.
  edited(paths) {
    const texts = {};
    for (const path of paths) {
      const model = this.open.get(path);
      if (model && model.isEdited) texts[path] = model.text;
    }
    return texts;
  }
}
