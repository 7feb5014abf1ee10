import { grouped, listed, summed } from './facts.mjs';

const SETTLEMENT = { completed: 'commit', failed: 'refund' };

/** Checks that each job is reserved once, and settled once according to its outcome. */
export function ledgerMatchesJobs({ final }) {
  const byJob = grouped(final.ledger, ({ job_id: id }) => id);
  const known = new Set(final.jobs.map(({ id }) => id));
  const strangers = [...byJob.keys()]
    .filter((id) => !known.has(id))
    .map((id) => `ledger rows of ${id}, which is no job`);
  const wrong = final.jobs.flatMap(({ id, status }) => {
    const kinds = listed((byJob.get(id) ?? []).map(({ kind }) => kind));
    const wanted = listed(['reserve', SETTLEMENT[status] ?? 'nothing yet']);
    return kinds === wanted ? [] : [`${id} is ${status}, its ledger says ${kinds || 'nothing'}`];
  });
  return [...strangers, ...wrong];
}

/** Checks that the counter of each account and month equals the sum of its ledger and the value in the API. */
export function usedMatchesLedger({ final }) {
  const keyOf = ({ account_id: account, period }) => `${account} in ${period}`;
  const worth = ({ kind }) => ({ reserve: 1, refund: -1, commit: 0 })[kind];
  const sums = summed(final.ledger, keyOf, worth);
  const counters = summed(final.usage, keyOf, ({ used }) => used);
  const wrong = [...new Set([...sums.keys(), ...counters.keys()])]
    .filter((key) => (sums.get(key) ?? 0) !== (counters.get(key) ?? 0))
    .map((key) => `${key}: used is ${counters.get(key) ?? 0}, the ledger says ${sums.get(key) ?? 0}`);
  const shown = Object.entries(final.accounts).flatMap(([account, { enhancements }]) => {
    const periods = final.usage.filter((row) => row.account_id === account).map(({ used }) => used);
    const isKnown = periods.length === 0 ? enhancements.used === 0 : periods.includes(enhancements.used);
    return isKnown
      ? []
      : [`${account}: /api/usage shows ${enhancements.used}, the counters are ${periods.join(', ')}`];
  });
  return [...wrong, ...shown];
}

/** Checks that the storage counter equals the bytes of all live rows. */
export function storageMatchesRows({ final }) {
  const live = [
    ...final.sources.filter(({ deleted }) => !deleted),
    ...final.jobs
      .filter(({ result_key: key, erased }) => key !== null && !erased)
      .map((job) => ({ account_id: job.account_id, bytes: job.result_bytes })),
  ];
  const sums = summed(
    live,
    ({ account_id: id }) => id,
    ({ bytes }) => bytes,
  );
  const counters = new Map(final.storage.map((row) => [row.account_id, row.used_bytes]));
  return [...new Set([...sums.keys(), ...counters.keys()])]
    .filter((id) => (sums.get(id) ?? 0) !== (counters.get(id) ?? 0))
    .map(
      (id) =>
        `${id}: the storage counter is ${counters.get(id) ?? 0}, its rows add up to ${sums.get(id) ?? 0}`,
    );
}

/** Checks that the disk contains exactly the objects of all live rows. */
export function objectsMatchRows({ final }) {
  const wanted = new Set([
    ...final.sources.filter(({ deleted }) => !deleted).map((row) => row.object_key),
    ...final.jobs
      .filter(({ result_key: key, erased }) => key !== null && !erased)
      .map((row) => row.result_key),
  ]);
  const kept = new Set(final.objects.kept);
  return [
    ...[...wanted].filter((key) => !kept.has(key)).map((key) => `${key} is missing from the disk`),
    ...[...kept]
      .filter((key) => !wanted.has(key))
      .map((key) => `${key} is on the disk and no row speaks of it`),
    ...final.objects.temporary.map((name) => `temporary file ${name} was left behind`),
  ];
}

/** Checks that every acknowledged upload has its row. */
export function uploadsAreKept({ acknowledged, final }) {
  const rows = new Set(final.sources.map(({ id }) => id));
  return acknowledged
    .filter(({ op, id }) => op === 'upload' && !rows.has(id))
    .map(({ id }) => `${id} was acknowledged and has no row`);
}
