/** Failures that a client causes itself, and the request that leads to each. */
const OWN_REASONS = {
  canceled: ({ job, ops }) => ops.some((op) => ['cancel', 'delete'].includes(op.op) && op.job === job.id),
  gone: ({ job, ops }) => ops.some((op) => op.op === 'delete-source' && op.source === job.source_id),
  no_subject_found: () => true,
};

/** Checks that every acknowledged job exists, has ended, and did not fail because of the service. */
export function jobsEndOnce({ ops, acknowledged, final }) {
  const rows = new Map(final.jobs.map((job) => [job.id, job]));
  const created = new Set(acknowledged.filter(({ op }) => op === 'create').map(({ id }) => id));
  const lost = [...created]
    .filter((id) => !rows.has(id))
    .map((id) => `${id} was acknowledged and has no row`);
  const unfinished = final.jobs
    .filter(({ status }) => status !== 'completed' && status !== 'failed')
    .map(({ id, status }) => `${id} is still ${status}`);
  const failed = final.jobs
    .filter((job) => job.status === 'failed' && OWN_REASONS[job.error_code]?.({ job, ops }) !== true)
    .map(
      (job) =>
        `${job.id} failed as ${job.error_code} (attempt ${job.attempts}, returned ${job.machine_faults} times)`,
    );
  return [...lost, ...unfinished, ...failed];
}

/** Checks that an outcome that a client has seen is final. */
export function endsAreFinal({ acknowledged, final }) {
  const rows = new Map(final.jobs.map((job) => [job.id, job]));
  return acknowledged
    .filter(
      ({ op, status }) => ['wait', 'poll', 'cancel'].includes(op) && ['completed', 'failed'].includes(status),
    )
    .filter(({ id, status }) => rows.get(id)?.status !== status)
    .map(
      ({ id, op, status }) => `${id}: ${op} was told ${status}, and it is ${rows.get(id)?.status ?? 'gone'}`,
    );
}

/** Checks that there are at most as many jobs as requests to create one. */
export function noJobFromNothing({ ops, final }) {
  const keys = new Set(
    ops.filter(({ op, phase }) => op === 'create' && phase === 'begin').map(({ key }) => key),
  );
  return final.jobs.length > keys.size ? [`${final.jobs.length} jobs for ${keys.size} idempotency keys`] : [];
}
