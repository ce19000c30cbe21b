// Talks to the server. Addresses are relative, so that they begin with the token.

// Two tabs do not end each other's runs.
const TAB = Math.random().toString(36).slice(2);

class ApiError extends Error {
  constructor(status, body) {
    super(body.error || `the studio answers with ${status}`);
    this.status = status;
    this.body = body;
  }
}

async function ask(path, body, signal) {
  let response;
  try {
    response = await fetch(path, body === undefined ? { signal }
      : { method: 'POST', body: JSON.stringify(body), signal,
          headers: { 'Content-Type': 'application/json' } });
  } catch (error) {
    if (error.name === 'AbortError') throw error;
    throw new ApiError(0, { error: 'The studio does not answer. Is cifc --serve still running?' });
  }
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) throw new ApiError(response.status, answer);
  return answer;
}

const api = {
  models: () => ask('api/models'),
  file: (path) => ask('api/file?path=' + encodeURIComponent(path)),
  save: (path, text, expected) => ask('api/save', { path, text, expected }),
  run: (slot, revision, request, signal) =>
    ask('api/run', { slot: `${TAB} ${slot}`, revision, ...request }, signal),
  cancel: (slot) => navigator.sendBeacon('api/cancel', `${TAB} ${slot}`),
};

// Asks one thing at a time: a newer question ends the one before, and what is
// answered late is dropped.
class Asker {
  constructor(slot) {
    this.slot = slot;
    this.revision = 0;
    this.abort = null;
  }

  get isBusy() { return !!this.abort; }

  // From here on, no answer to an earlier question counts.
  forget() {
    ++this.revision;
    if (this.abort) this.abort.abort();
    this.abort = null;
  }

  // The answer, or null where a newer question was asked meanwhile.
  async ask(request) {
    this.forget();
    const { revision } = this;
    const abort = this.abort = new AbortController();
    try {
      const answer = await api.run(this.slot, revision, request, abort.signal);
      if (revision !== this.revision || answer.revision !== revision ||
          answer.kind === 'cancelled')
        return null;
      return answer;
    } catch (error) {
      if (revision !== this.revision || error.name === 'AbortError') return null;
      throw error;
    } finally {
      if (this.abort === abort) this.abort = null;
    }
  }
}

// Why a run gave no report, in a sentence; empty: it gave one.
function troubleOf(answer) {
  if (answer.report) return '';
  const said = answer.log.trim().split('\n').pop();
  const what = { crashed: 'The run crashed.', 'timed out': 'The run did not end in time.',
                 failed: 'The run could not be started.' }[answer.kind];
  return [what, said].filter(Boolean).join(' ') || 'The run gave no report.';
}
