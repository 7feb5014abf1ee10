import { describe, expect, it } from 'vitest';
import { CHECKS, checkHistory } from '../../scripts/chaos/checks/check-history.mjs';

/** A valid history: one upload, one completed job and one that its client canceled. */
function soundHistory() {
  const account = 'acc_1';
  const job = {
    account_id: account,
    source_id: 'src_1',
    attempts: 1,
    machine_faults: 0,
    period: '2026-11',
    deleted: false,
    erased: false,
  };
  const done = {
    ...job,
    id: 'job_1',
    status: 'completed',
    error_code: null as string | null,
    result_key: 'results/job_1-1.png',
    result_bytes: 50,
  };
  const canceled = {
    ...job,
    id: 'job_2',
    status: 'failed',
    error_code: 'canceled',
    result_key: null,
    result_bytes: null,
  };
  const ledgerRow = (id: string, kind: string) => ({
    job_id: id,
    kind,
    account_id: account,
    period: '2026-11',
  });
  const event = (id: string, type: string, subject: string) => ({
    id,
    type,
    subject,
    account_id: account,
    dispatched: true,
  });
  const events = [
    event('evt_1', 'image.uploaded', 'src_1'),
    event('evt_2', 'upload.finished', 'src_1'),
    event('evt_3', 'enhancement.queued', 'job_1'),
    event('evt_4', 'enhancement.completed', 'job_1'),
    event('evt_5', 'job.completed', 'job_1'),
    event('evt_6', 'image.completed', 'job_1'),
    event('evt_7', 'enhancement.queued', 'job_2'),
    event('evt_8', 'enhancement.failed', 'job_2'),
  ];
  const op = (name: string, details: Record<string, unknown>) => [
    { kind: 'op', op: name, phase: 'begin', ...details },
    { kind: 'op', op: name, phase: 'ok', ...details },
  ];
  const final = {
    kind: 'final',
    accounts: { [account]: { enhancements: { used: 1 } } },
    jobs: [done, canceled],
    ledger: [
      ledgerRow('job_1', 'reserve'),
      ledgerRow('job_1', 'commit'),
      ledgerRow('job_2', 'reserve'),
      ledgerRow('job_2', 'refund'),
    ],
    usage: [{ account_id: account, period: '2026-11', used: 1 }],
    storage: [{ account_id: account, used_bytes: 150 }],
    sources: [
      { id: 'src_1', account_id: account, object_key: 'sources/src_1.png', bytes: 100, deleted: false },
    ],
    events,
    deliveries: events.map(({ id }) => ({ event_id: id, status: 'succeeded' })),
    objects: { kept: ['results/job_1-1.png', 'sources/src_1.png'], temporary: [] as string[] },
    scratch: [] as string[],
    processes: [] as { pid: number; command: string }[],
    log: [] as { file: string; line: string }[],
  };
  const entries: Record<string, unknown>[] = [
    { kind: 'run', options: { seed: 1 } },
    ...op('upload', { key: 'key-0', id: 'src_1' }),
    ...op('create', { key: 'key-1', source: 'src_1', id: 'job_1', status: 'queued' }),
    ...op('create', { key: 'key-2', source: 'src_1', id: 'job_2', status: 'queued' }),
    ...op('wait', { job: 'job_1', id: 'job_1', status: 'completed' }),
    ...op('read', { job: 'job_1', sha256: 'abc' }),
    ...op('read-again', { job: 'job_1', sha256: 'abc' }),
    ...op('cancel', { job: 'job_2', id: 'job_2', status: 'failed' }),
    { kind: 'process', name: 'api-1', event: 'drained', tookMs: 900, code: 0, signal: null },
    { kind: 'recovery', number: 1, jobs: { job_1: 900 }, threadsPerCore: 0.5 },
    { kind: 'recovery', number: 2, skipped: 'the workers were not busy' },
    ...events.map(({ id }) => ({ kind: 'received', event: id, account, status: 204, fault: null })),
    final,
  ];
  return { entries, final, done, canceled };
}

type Sound = ReturnType<typeof soundHistory>;

const acknowledged = (name: string, details: Record<string, unknown>) => ({
  kind: 'op',
  op: name,
  phase: 'ok',
  ...details,
});

/** Histories that break each promise. */
const BREAKS: Readonly<Record<string, readonly ((sound: Sound) => void)[]>> = {
  'every accepted job ends, and fails only for a reason of its own': [
    ({ final }) => (final.jobs = final.jobs.slice(1)),
    ({ done }) => (done.status = 'processing'),
    ({ canceled }) => (canceled.error_code = 'worker_lost'),
    ({ canceled }) => (canceled.error_code = 'service_unavailable'),
    ({ canceled }) => (canceled.error_code = 'gone'),
    ({ entries }) => entries.splice(0, entries.length, ...entries.filter(({ op }) => op !== 'cancel')),
  ],
  'an end that a client was told is final': [({ done }) => (done.status = 'failed')],
  'one idempotency key is one job': [
    ({ entries }) => entries.push(acknowledged('create', { key: 'key-1', id: 'job_2' })),
    ({ entries }) => entries.push(acknowledged('create', { key: 'key-3', id: 'job_1' })),
  ],
  'no job without a request': [({ final, done }) => final.jobs.push({ ...done, id: 'job_3' })],
  'what was deleted stays deleted': [
    ({ entries }) => entries.push(acknowledged('delete', { job: 'job_1' })),
    ({ entries }) => entries.push(acknowledged('delete-source', { source: 'src_1' })),
    // The row is marked as deleted, but its result still exists.
    ({ entries, done }) => {
      done.deleted = true;
      entries.push(acknowledged('delete', { job: 'job_1' }));
    },
    ({ entries, done }) => {
      Object.assign(done, { deleted: true, erased: true });
      entries.push(acknowledged('delete', { job: 'job_1' }), acknowledged('get-deleted', { job: 'job_1' }));
    },
  ],
  'one idempotency key is one upload': [
    ({ entries }) => entries.push(acknowledged('upload', { key: 'key-0', id: 'src_2' })),
    ({ entries }) => entries.push(acknowledged('upload', { key: 'key-9', id: 'src_1' })),
    ({ final }) => final.sources.push({ ...final.sources[0]!, id: 'src_2' }),
  ],
  'a result that was read stays as it was': [
    ({ entries }) => entries.splice(0, entries.length, ...entries.filter(({ op }) => op !== 'read-again')),
    ({ entries }) => entries.push(acknowledged('read-again', { job: 'job_1', sha256: 'abd' })),
  ],
  'every accepted upload is kept': [({ final }) => (final.sources = [])],
  'the ledger says of each job how it ended, once': [
    ({ final }) => final.ledger.pop(),
    ({ final }) => final.ledger.push({ ...final.ledger[1]!, kind: 'refund' }),
    ({ final }) => final.ledger.push({ ...final.ledger[1]!, job_id: 'job_9' }),
  ],
  'used enhancements are what the ledger adds up to': [
    ({ final }) => (final.usage[0]!.used = 2),
    ({ final }) => (final.accounts['acc_1'].enhancements.used = 0),
  ],
  'the storage counter is the sum of the rows': [({ final }) => (final.storage[0]!.used_bytes = 149)],
  'the disk holds the objects of the rows': [
    ({ final }) => final.objects.kept.pop(),
    ({ final }) => final.objects.kept.push('results/job_1-2.png'),
    ({ final }) => final.objects.temporary.push('a8098c1a'),
  ],
  'each job and upload has its events, once': [
    ({ final }) => final.events.pop(),
    ({ final }) => final.events.push({ ...final.events[3]!, id: 'evt_9' }),
  ],
  'each event is delivered, and recorded once': [
    ({ final }) => final.deliveries.pop(),
    ({ final }) => final.deliveries.push({ ...final.deliveries[0]! }),
    ({ final }) => (final.deliveries[0]!.status = 'failed'),
    ({ final }) => (final.events[0]!.dispatched = false),
    ({ entries }) => entries.splice(0, entries.length, ...entries.filter(({ event }) => event !== 'evt_4')),
  ],
  'what arrives is signed, recorded and addressed rightly': [
    ({ entries }) => entries.push({ kind: 'received', event: 'evt_1', account: 'acc_1', fault: 'stale' }),
    ({ entries }) => entries.push({ kind: 'received', event: 'evt_0', account: 'acc_1', fault: null }),
    ({ entries }) => entries.push({ kind: 'received', event: 'evt_1', account: 'acc_2', fault: null }),
  ],
  'scratch folders are empty': [({ final }) => final.scratch.push('pixels.tif')],
  'no process is left': [({ final }) => final.processes.push({ pid: 77, command: 'node main.decoder.js' })],
  'logs hold no uncaught error': [({ final }) => final.log.push({ file: 'api-1.log', line: 'x' })],
  'no process ends by itself': [
    ({ entries }) => entries.push({ kind: 'process', name: 'api-1', event: 'ended-by-itself', code: 1 }),
  ],
  'each process drains in time': [
    ({ entries }) =>
      entries.push({ kind: 'process', name: 'api-1', event: 'drained', tookMs: 60_000, code: 0 }),
    ({ entries }) => entries.push({ kind: 'process', name: 'api-1', event: 'drained', tookMs: 10, code: 1 }),
  ],
  'jobs of a killed worker go on in time under the supervisor': [
    ({ entries }) => entries.push({ kind: 'recovery', number: 3, jobs: { job_1: 5_001 }, threadsPerCore: 1 }),
    ({ entries }) => entries.push({ kind: 'recovery', number: 3, jobs: { job_1: null }, threadsPerCore: 1 }),
    // This limit holds however busy the machine is.
    ({ entries }) =>
      entries.push({ kind: 'recovery', number: 3, jobs: { job_1: 16_000 }, threadsPerCore: 8 }),
  ],
};

describe('checking a history', () => {
  it('finds no violation in a valid one', () => {
    expect(checkHistory(soundHistory().entries).violations).toEqual([]);
  });

  it('allows for a machine that is busy with other work', () => {
    const { entries } = soundHistory();
    entries.push({ kind: 'recovery', number: 3, jobs: { job_1: 9_500 }, threadsPerCore: 2 });
    expect(checkHistory(entries).violations).toEqual([]);
    expect(checkHistory(entries).figures).toMatchObject({ resumeP50Ms: 900, resumeMaxMs: 9_500 });
  });

  it('does not expect a result that its owner deleted', () => {
    const { entries, done, final } = soundHistory();
    Object.assign(done, { deleted: true, erased: true });
    final.storage[0]!.used_bytes = 100;
    final.objects.kept.shift();
    const kept = entries.filter(({ op }) => op !== 'read-again');
    kept.push(acknowledged('delete', { job: 'job_1' }), {
      ...acknowledged('delete', { job: 'job_1' }),
      phase: 'begin',
    });
    expect(checkHistory(kept).violations).toEqual([]);
  });

  it('rejects a history without an end', () => {
    const entries = soundHistory().entries.filter(({ kind }) => kind !== 'final');
    expect(checkHistory(entries).violations).toMatchObject([{ promise: 'the run came to its end' }]);
  });

  it('has a counterexample for every promise', () => {
    expect(Object.keys(BREAKS).toSorted()).toEqual(Object.keys(CHECKS).toSorted());
  });

  const cases = Object.entries(BREAKS).flatMap(([promise, breaks]) =>
    breaks.map((breakIt, index) => ({ promise, breakIt, number: index + 1 })),
  );
  it.each(cases)('reports $promise (example $number)', ({ promise, breakIt }) => {
    const sound = soundHistory();
    breakIt(sound);
    const { violations } = checkHistory(sound.entries);
    const found = violations.find((violation) => violation.promise === promise);
    expect(found?.found).not.toHaveLength(0);
    expect(found).toBeDefined();
  });
});
