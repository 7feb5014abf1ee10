import pg from 'pg';
import { setTimeout as sleep } from 'node:timers/promises';
import { fakeClock } from './servers/fake-clock.mjs';

const HOLDERS = `SELECT lease_token FROM jobs WHERE status = 'processing' AND lease_token IS NOT NULL LIMIT 20`;
/** How long to look for a worker that holds a job. Small jobs end quickly. */
const SEARCH_MS = 15_000;
const SEARCH_PAUSE_MS = 100;

/** Executes a schedule of faults on a fleet. Faults of the same target run one after the other. */
export class Nemesis {
  #queues = new Map();

  constructor({ fleet, receiver, history }) {
    Object.assign(this, { fleet, receiver, history });
  }

  /** Executes the whole schedule. When it resolves, every fault has ended and everything works again. */
  async run(schedule, signal) {
    const startedMs = performance.now();
    const running = [];
    for (const entry of schedule) {
      await sleep(Math.max(0, startedMs + entry.atMs - performance.now()), undefined, { signal });
      running.push(this.#inTurn(entry));
    }
    await Promise.all(running);
  }

  async #inTurn(entry) {
    const target = entry.target === 'busy-worker' ? await this.#busyWorker() : entry.target;
    if (target === undefined) return this.#skip(entry, 'no worker holds a job');
    const key = target.split('/')[0];
    const turn = (this.#queues.get(key) ?? Promise.resolve()).then(() => this.#strike({ ...entry, target }));
    this.#queues.set(key, turn);
    return turn;
  }

  async #strike(entry) {
    const { fault, target, durationMs, offsetSeconds } = entry;
    const actions = this.#actions(fault, target, offsetSeconds);
    if (typeof actions === 'string') return this.#skip(entry, actions);
    this.history.add('fault', { phase: 'begin', fault, target, durationMs, offsetSeconds });
    await actions.begin();
    await sleep(durationMs);
    await actions.heal();
    this.history.add('fault', { phase: 'healed', fault, target });
  }

  #skip({ fault, target }, reason) {
    this.history.add('fault', { phase: 'skipped', fault, target, reason });
  }

  /** @returns functions that begin and end the fault, or the reason why it is not possible here */
  #actions(fault, target, offsetSeconds) {
    if (fault.startsWith('net-')) return this.#network(fault, target);
    if (fault.startsWith('disk-')) return this.#disk(fault);
    if (target === 'receiver') return this.#off(this.receiver, 'close', 'listen');
    if (target === 'postgres') return this.#off(this.fleet.postgres, 'kill', 'startAgain');
    if (target === 'redis') return this.#off(this.fleet.redis, 'kill', 'startAgain');
    const role = this.fleet.process(target);
    if (fault === 'pause') return { begin: () => role.signal('SIGSTOP'), heal: () => role.signal('SIGCONT') };
    if (fault === 'clock') return this.#clock(role, offsetSeconds);
    if (fault === 'drain') return this.#off(role, 'drain', 'start');
    return this.#off(role, 'kill', 'start');
  }

  #off(thing, begin, heal) {
    return { begin: () => thing[begin](), heal: () => thing[heal]() };
  }

  #network(fault, target) {
    const link = this.fleet.links.get(target);
    const begin = { 'net-stall': 'stall', 'net-cut': 'cut', 'net-reset': 'reset' }[fault];
    return this.#off(link, begin, 'mend');
  }

  #disk(fault) {
    const disk = fault === 'disk-data' ? this.fleet.dataDisk : this.fleet.scratchDisk;
    return disk === undefined ? 'needs the right to mount file systems' : this.#off(disk, 'fill', 'empty');
  }

  #clock(role, offsetSeconds) {
    if (fakeClock() === undefined) return 'libfaketime is not installed (Debian package faketime)';
    if (role.clockIsFixed) return 'the supervisor decides its environment';
    const restart = async (offset) => {
      await role.drain();
      await role.start(offset);
    };
    return { begin: () => restart(offsetSeconds), heal: () => restart(0) };
  }

  /** The name of a worker process that currently holds the lease of a job. */
  async #busyWorker() {
    const endMs = performance.now() + SEARCH_MS;
    for (;;) {
      const name = await this.#holder();
      if (name !== undefined || performance.now() > endMs) return name;
      await sleep(SEARCH_PAUSE_MS);
    }
  }

  async #holder() {
    const tokens = await this.#leaseTokens();
    const workers = [...this.fleet.processes.values()].filter(({ role }) => role === 'worker');
    const own = workers.filter(({ leaseOwner }) => leaseOwner !== undefined);
    for (const token of tokens) {
      const holder = own.find(({ leaseOwner }) => token.startsWith(leaseOwner));
      // Only the supervisor knows the owner name of its worker.
      if (holder !== undefined) return holder.name;
    }
    return tokens.length > 0 ? workers.find(({ leaseOwner }) => leaseOwner === undefined)?.name : undefined;
  }

  async #leaseTokens() {
    const client = new pg.Client({ connectionString: this.fleet.databaseUrl });
    client.on('error', () => undefined);
    try {
      await client.connect();
      return (await client.query(HOLDERS)).rows.map((row) => row.lease_token);
    } catch {
      // Another fault affects the database.
      return [];
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}
