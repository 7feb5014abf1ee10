import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { cleanupOnce } from '../lib/cleanup.mjs';
import { EventReceiver } from './rolling/event-receiver.mjs';
import { Installation } from './rolling/installation.mjs';
import { SteadyJobs } from './rolling/steady-jobs.mjs';
import { atLeast, atMost, judge, verdict } from './verdict.mjs';

/** Duration of the load before the first restart and after the last one. */
const CALM_MS = 3_000;
const EVENTS_MS = 60_000;
const NONE = atMost(0);

/** Replaces every process of an installation on S3 while jobs arrive, and counts the errors that clients see. */
export async function run({ json, rate, rounds, processes }) {
  const dir = await mkdtemp(join(tmpdir(), 'ies-rolling-'));
  // If this process is root, the embedded PostgreSQL runs as a different user.
  await chmod(dir, 0o755);
  const say = (text) => process.stderr.write(`${text}\n`);
  const receiver = await EventReceiver.open();
  const installation = new Installation(dir, processes);
  const close = cleanupOnce(async () => {
    await installation.stop();
    receiver.close();
    await rm(dir, { recursive: true, force: true });
  });
  try {
    await installation.start();
    const { key } = await installation.createAccount();
    await registerEndpoint(installation.baseUrl, key, receiver.url);
    const load = new SteadyJobs({ baseUrl: installation.baseUrl, key, perSecond: rate });
    load.start();
    await sleep(CALM_MS);
    for (let round = 1; round <= rounds; round += 1) await installation.restart(say);
    await sleep(CALM_MS);
    await load.stop();
    const silent = await jobsWithoutEvent(load.jobs, receiver);
    const results = judged({ load, silent, installation });
    report(results, load, json);
    return results;
  } finally {
    await close();
  }
}

async function registerEndpoint(baseUrl, key, url) {
  const answer = await fetch(`${baseUrl}/api/webhooks/endpoints`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ url, events: ['job.completed'] }),
  });
  if (!answer.ok) throw new Error(`the webhook endpoint: ${answer.status} ${await answer.text()}`);
}

/** Completed jobs whose event did not arrive in time. */
async function jobsWithoutEvent(jobs, receiver) {
  const endMs = performance.now() + EVENTS_MS;
  for (;;) {
    const silent = jobs.filter(
      ({ id, status }) => status === 'completed' && !receiver.has('job.completed', id),
    );
    if (silent.length === 0 || performance.now() > endMs) return silent.length;
    await sleep(200);
  }
}

function judged({ load, silent, installation }) {
  const { jobs, faults } = load;
  const count = (is) => jobs.filter(is).length;
  return {
    jobs: judge(jobs.length, atLeast(1)),
    completed: judge(
      count(({ status }) => status === 'completed'),
      atLeast(jobs.length),
    ),
    failed: judge(
      count(({ status }) => status === 'failed'),
      NONE,
    ),
    'second attempts': judge(
      count(({ attempts }) => attempts > 1),
      NONE,
    ),
    'answers that must not be': judge(faults.length, NONE),
    'jobs without their event': judge(silent, NONE),
    'processes that did not end with 0': judge(
      installation.exitCodes.filter((code) => code !== 0).length,
      NONE,
    ),
  };
}

function report(results, load, json) {
  const answers = Object.fromEntries([...load.answers].toSorted(([a], [b]) => (a < b ? -1 : 1)));
  // Allowed by HTTP: a kept-alive connection may be closed while a request is in transit. Clients retry.
  const brokenConnections = Object.fromEntries(load.broken);
  const times = load.jobs.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b);
  const at = (share) => Math.round(times[Math.floor((times.length - 1) * share)] ?? 0);
  if (json) {
    const jobMs = { p50: at(0.5), p95: at(0.95), max: at(1) };
    process.stdout.write(
      `${JSON.stringify({ ...results, answers, brokenConnections, jobMs, faults: load.faults })}\n`,
    );
    return;
  }
  for (const [name, result] of Object.entries(results))
    process.stdout.write(`${name}: ${result.value} (${verdict(result)})\n`);
  for (const [name, number] of Object.entries(answers)) process.stdout.write(`  ${name}: ${number}\n`);
  for (const [reason, number] of load.broken)
    process.stdout.write(`  broken connections, ${reason}: ${number}\n`);
  for (const fault of load.faults) process.stdout.write(`  FAULT ${fault}\n`);
  process.stdout.write(`a job took ${at(0.5)} ms (median), ${at(0.95)} ms (95%), ${at(1)} ms (longest)\n`);
}
