import { grouped } from './facts.mjs';

/** Checks that an idempotency key always returns the same job, and that no other request gets that job. */
export function keysNameOneJob({ acknowledged }) {
  return keysNameOne(acknowledged.filter(({ op }) => op === 'create'));
}

/** Checks that an idempotency key always returns the same upload, and that no request left another one behind. */
export function keysNameOneUpload({ ops, acknowledged, final }) {
  const uploads = ops.filter(({ op }) => op === 'upload');
  const keys = new Set(uploads.map(({ key }) => key));
  const tooMany =
    final.sources.length > keys.size
      ? [`${final.sources.length} uploads for ${keys.size} idempotency keys`]
      : [];
  return [...keysNameOne(acknowledged.filter(({ op }) => op === 'upload')), ...tooMany];
}

function keysNameOne(answers) {
  const byKey = [...grouped(answers, ({ key }) => key)]
    .filter(([, group]) => new Set(group.map(({ id }) => id)).size > 1)
    .map(([key, group]) => `key ${key} was answered with ${group.map(({ id }) => id).join(' and ')}`);
  const byId = [...grouped(answers, ({ id }) => id)]
    .filter(([, group]) => new Set(group.map(({ key }) => key)).size > 1)
    .map(([id]) => `${id} was the answer to several keys`);
  return [...byKey, ...byId];
}

/** Checks that deleted things stay deleted: in the database, on the disk, and for every reader. */
export function deletionsStay({ acknowledged, final }) {
  const jobs = new Map(final.jobs.map((job) => [job.id, job]));
  const sources = new Map(final.sources.map((source) => [source.id, source]));
  const shown = acknowledged.filter(({ op }) => op === 'get-deleted');
  return acknowledged.flatMap(({ op, job, source }) => {
    if (op !== 'delete' && op !== 'delete-source') return [];
    const id = op === 'delete' ? job : source;
    const row = (op === 'delete' ? jobs : sources).get(id);
    if (row?.deleted === false) return [`${id} was deleted and is there again`];
    if (op === 'delete' && row?.result_key && !row.erased)
      return [`${id} was deleted and its result is kept`];
    const isShown = shown.some((answer) => (op === 'delete' ? answer.job : answer.source) === id);
    return isShown ? [`${id} was deleted and is shown to its owner`] : [];
  });
}

/** Checks that a result that was read once has the same content at the end, unless its owner requested its deletion. */
export function resultsStay({ ops, acknowledged }) {
  const deleted = new Set(ops.filter(({ op }) => op === 'delete').map(({ job }) => job));
  const again = new Map(acknowledged.filter(({ op }) => op === 'read-again').map((each) => [each.job, each]));
  return acknowledged
    .filter(({ op, job }) => op === 'read' && !deleted.has(job))
    .flatMap(({ job, sha256 }) => {
      const last = again.get(job);
      if (last === undefined) return [`the result of ${job} was read once and cannot be read at the end`];
      return last.sha256 === sha256
        ? []
        : [`the result of ${job} was ${sha256} and is ${last.sha256} at the end`];
    });
}
