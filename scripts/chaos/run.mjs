import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Fleet } from './fleet.mjs';
import { History } from './history.mjs';
import { Load } from './load/load.mjs';
import { findForbiddenLines } from './processes/log-scan.mjs';
import { Nemesis } from './nemesis.mjs';
import { ProcessWatch } from './processes/process-watch.mjs';
import { Receiver } from './servers/receiver.mjs';
import { Recovery } from './recovery.mjs';
import { makeSchedule } from './schedule.mjs';
import { filesBelow, State } from './state.mjs';

/** The load continues for this long after the last fault has ended. */
const CALM_MS = 5_000;
/** Maximum time for accepted work to end after the last fault. Webhook retries pause for at most 2 s. */
const SETTLE_MS = 240_000;
const SWEEP_MS = 90_000;
const PAUSE_MS = 500;

/**
 * Executes one run: start, load, faults, repair, settle, record.
 * @returns {Promise<{ dir: string, historyPath: string }>} the caller checks the history and removes the folder
 */
export async function runChaos(options, say) {
  const dir = await mkdtemp(join(tmpdir(), 'ies-chaos-'));
  // If this process is root, the embedded PostgreSQL runs as a different user, which needs access to the folder.
  await chmod(dir, 0o755);
  const history = new History(join(dir, 'history.jsonl'));
  const durationMs = options.minutes * 60_000;
  const schedule = makeSchedule({ ...options, durationMs, hasRedis: options.redis });
  history.add('run', { options, schedule });
  const fleet = new Fleet({ dir, history, options });
  const receiver = await Receiver.open({ seed: options.seed, history });
  const watch = new ProcessWatch(() => fleet.roots.flatMap(({ pid }) => pid ?? []));
  const stopNow = endOnSignal(fleet);
  try {
    say(`Starting the service below ${dir} …`);
    await fleet.start();
    const load = await Load.prepare({ fleet, receiver, history, ...options });
    say(`Injecting ${schedule.length} faults within ${options.minutes} min (seed ${options.seed}) …`);
    load.start();
    await new Nemesis({ fleet, receiver, history }).run(schedule);
    await sleep(CALM_MS);
    receiver.heal();
    if (options.supervisor) {
      say('Everything is healed; timing how soon jobs of a killed worker go on …');
      await new Recovery({ fleet, history }).run();
    }
    await load.stop();
    say('Waiting until accepted work has ended …');
    await finish({ fleet, load, history, watch });
  } finally {
    stopNow.forget();
    watch.stop();
    await fleet.stop();
    await receiver.close();
    history.close();
  }
  return { dir, historyPath: history.path };
}

/** Waits until all work has ended, lets the service clean up, stops it, and records the remaining state. */
async function finish({ fleet, load, history, watch }) {
  const state = new State(fleet.databaseUrl, fleet.dataDir);
  const unfinished = await settled(state);
  await load.lookAgain();
  const accounts = {};
  for (const [id, client] of load.byAccount) accounts[id] = await client.usage();
  await state.ageObjects();
  const dispatchers = [...fleet.processes.values()].filter(({ role }) => role === 'dispatcher');
  for (const dispatcher of dispatchers) {
    await dispatcher.drain();
    await dispatcher.start();
  }
  const tables = await state.tables();
  const objects = await sweptObjects(state, tables);
  await fleet.drain();
  const scratch = [];
  for (const dir of fleet.scratchDirs) scratch.push(...(await filesBelow(dir)).map(({ name }) => name));
  const processes = await watch.leftovers();
  const log = findForbiddenLines(fleet.logsDir);
  history.add('final', { unfinished, accounts, ...tables, objects, scratch, processes, log });
}

async function settled(state) {
  const endMs = performance.now() + SETTLE_MS;
  for (;;) {
    const left = await state.unfinished();
    const isDone = left.jobs + left.events + left.deliveries === 0;
    if (isDone || performance.now() > endMs) return left;
    await sleep(PAUSE_MS);
  }
}

/** The objects on disk after the orphan sweep. */
async function sweptObjects(state, { jobs, sources }) {
  const rows = jobs.filter(({ result_key: key, erased }) => key !== null && !erased).length;
  const wanted = rows + sources.filter(({ deleted }) => !deleted).length;
  const endMs = performance.now() + SWEEP_MS;
  for (;;) {
    const objects = await state.objects();
    const isTidy = objects.kept.length === wanted && objects.temporary.length === 0;
    if (isTidy || performance.now() > endMs) return objects;
    await sleep(PAUSE_MS);
  }
}

/** On Ctrl-C, removes everything except the folder. */
function endOnSignal(fleet) {
  const onSignal = () => {
    void fleet.stop().finally(() => process.exit(130));
  };
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, onSignal);
  return {
    forget: () => {
      for (const name of ['SIGINT', 'SIGTERM']) process.off(name, onSignal);
    },
  };
}

/** Deletes the folder of a run. */
export function removeRun(dir) {
  return rm(dir, { recursive: true, force: true });
}
