// Steps through a run: buttons, a slider, the keyboard.

// Fonts differ in the signs of players; these are drawn.
const ICONS = {
  first: 'M3 3v10M13 3L5 8l8 5z', back: 'M11 3L4 8l7 5z', play: 'M4 2.5L13 8l-9 5.5z',
  pause: 'M5 3v10M11 3v10', next: 'M5 3l7 5-7 5z', last: 'M13 3v10M3 3l8 5-8 5z',
};

function icon(name) {
  return svgEl('svg', { class: 'glyph ' + name, width: 16, height: 16,
                        viewBox: '0 0 16 16', 'aria-hidden': 'true' },
               svgEl('path', { d: ICONS[name] }));
}

class Player {
  constructor(onChange) {
    this.onChange = onChange;
    this.run = null;
    this.at = 0;
    this.timer = 0;
    const button = (name, label, action) =>
      el('button', { type: 'button', 'aria-label': label, title: label,
                     onclick: action }, icon(name));
    this.playButton = button('play', 'Play (space)', () => this.toggle());
    this.slider = el('input', { type: 'range', min: 0, value: 0,
                                'aria-label': 'Step of the run' });
    this.slider.addEventListener('input', () => {
      this.stop();
      this.goTo(Number(this.slider.value));
    });
    this.speed = el('select', { 'aria-label': 'Speed' },
      [['0.5', '½×'], ['1', '1×'], ['2', '2×'], ['8', '8×'], ['40', '40×']].map(
        ([value, text]) => el('option', { value, selected: value === '1', text })));
    this.counter = el('output', { class: 'counter' });
    this.what = el('p', { class: 'what', 'aria-live': 'polite' });
    this.queues = el('div', { class: 'queues', 'aria-label': 'In transit' });
    this.bar = el('div', { class: 'player', hidden: true },
      el('div', { class: 'controls' },
        button('first', 'First (Home)', () => this.goTo(0)),
        button('back', 'One step back (left arrow)', () => this.step(-1)),
        this.playButton,
        button('next', 'One step (right arrow)', () => this.step(1)),
        button('last', 'Last (End)', () => this.goTo(this.run.last)),
        this.slider, this.counter, this.speed),
      this.what, this.queues);
    document.addEventListener('keydown', (event) => this.key(event));
  }

  show(run) {
    this.stop();
    this.run = run;
    this.bar.hidden = !run;
    if (!run) return;
    this.slider.max = run.last;
    this.goTo(0);
  }

  goTo(k) {
    this.at = Math.min(Math.max(0, k), this.run.last);
    this.slider.value = this.at;
    this.counter.textContent = `${this.at} / ${this.run.last}`;
    this.describe();
    this.onChange(this.at);
  }

  step(by) {
    this.stop();
    this.goTo(this.at + by);
  }

  describe() {
    const step = this.run.step(this.at);
    const place = this.run.place(this.at);
    clear(this.what).append(el('b', { text: this.run.text(this.at) }));
    if (place) this.what.append(el('span', { class: 'place', text: placeText(place) }));
    const [state, remark] = step && step.note ? step.note.split('<-') : [];
    if (remark)
      this.what.append(el('span', { class: 'remark', text: remark.trim() }));
    else if (state && !(this.run.hasStates && /\b(in transit|inbox of)\b/.test(state)))
      this.what.append(el('span', { class: 'quiet', text: state }));
    clear(this.queues);
    const { queues } = this.run.state(this.at);
    for (const [name, messages] of queues) {
      const shown = messages.slice(0, 30);
      this.queues.append(el('div', { class: 'queue', 'data-queue': name || 'in transit' },
        el('span', { class: 'name', text: name || 'in transit' }),
        shown.map(([from, to, message]) => el('span', {
          class: 'letter', title: `${from} → ${to}`, text: message })),
        messages.length > shown.length &&
          el('span', { class: 'quiet', text: `and ${messages.length - shown.length} more` })));
    }
    if (this.run.hasStates && !queues.size)
      this.queues.append(el('span', { class: 'quiet', text: 'nothing in transit' }));
  }

  toggle() {
    if (this.timer) return this.stop();
    if (this.at === this.run.last) this.goTo(0);
    this.showPlaying(true);
    const tick = () => {
      this.goTo(this.at + 1);
      const loop = this.run.loopStart;
      if (this.at < this.run.last || loop > 0) {
        if (this.at === this.run.last) this.at = loop - 1; // again and again
        this.timer = setTimeout(tick, 900 / Number(this.speed.value));
      } else {
        this.stop();
      }
    };
    this.timer = setTimeout(tick, 250 / Number(this.speed.value));
    return undefined;
  }

  stop() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.showPlaying(false);
  }

  showPlaying(isOn) {
    const label = isOn ? 'Pause (space)' : 'Play (space)';
    this.playButton.setAttribute('aria-label', label);
    this.playButton.title = label;
    this.playButton.replaceChildren(icon(isOn ? 'pause' : 'play'));
  }

  key(event) {
    if (!this.run || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    if (/^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName)) return;
    const onButton = event.target.tagName === 'BUTTON';
    const actions = {
      ArrowRight: () => this.step(1), ArrowLeft: () => this.step(-1),
      Home: () => { this.stop(); this.goTo(0); },
      End: () => { this.stop(); this.goTo(this.run.last); },
    };
    if (!onButton) actions[' '] = () => this.toggle();
    if (!actions[event.key]) return;
    event.preventDefault();
    actions[event.key]();
  }
}
