// Diagrams, edited by the modelers of bpmn.io and chor-js. Each has a frame of
// its own: their style sheets and versions of a library differ.

class DiagramEditor {
  constructor(place, kind, onEdit) {
    this.frame = el('iframe', { class: 'modeler', title: 'Diagram',
                                src: 'modeler.html?' + kind });
    this.ready = new Promise((resolve, reject) => {
      this.frame.addEventListener('load', () => {
        const { modeler } = this.frame.contentWindow;
        if (!modeler) return reject(new Error('the modeler did not start'));
        modeler.onEdit = onEdit;
        return modeler.ready.then(resolve, reject);
      });
    });
    this.frame.dataset.kind = kind;
    place.append(this.frame);
  }

  get modeler() { return this.frame.contentWindow.modeler; }

  // What the modeler could not read, in words.
  async open(text) {
    await this.ready;
    return this.modeler.open(text);
  }

  text() { return this.modeler.text(); }
  close() { this.frame.remove(); }
  show(found) { this.modeler.show(found); }
  point(place) { this.modeler.point(place.id); }
}
