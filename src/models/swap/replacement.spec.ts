import type { LoggerService } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import type { ExitTurn } from '../serving/exit-turns.repository.js';
import { Replacement } from './replacement.js';

const WAIT: ExitTurn = { mayExit: false, fleet: 4 };
const EXIT: ExitTurn = { mayExit: true, fleet: 4 };

describe('Replacement with MODEL_SWAP=exit', () => {
  let replacement: Replacement;
  let answers: (ExitTurn | Error)[];
  let fleets: (number | undefined)[];
  let logs: string[];
  let exits: number;

  /** @param last the response to each further request */
  function start(first: (ExitTurn | Error)[], last: ExitTurn, patienceMs = 60_000): void {
    answers = [...first];
    fleets = [];
    logs = [];
    exits = 0;
    const log = (...texts: unknown[]) => logs.push(texts.map(String).join(' '));
    replacement = new Replacement({
      how: 'exit',
      requestExit: async (fleet) => {
        fleets.push(fleet);
        const answer = answers.shift() ?? last;
        if (answer instanceof Error) throw answer;
        return answer;
      },
      patienceMs,
      logger: { log, warn: log } as unknown as LoggerService,
      exit: () => (exits += 1),
      pauseMs: 5,
    });
  }
  afterEach(() => replacement.end());

  it('exits with code 75 as soon as it may', async () => {
    start([WAIT, WAIT], EXIT);
    replacement.ask(() => true);
    await expect.poll(() => exits).toBe(1);
    expect(replacement.exitCode).toBe(75);
    expect(fleets).toEqual([undefined, 4, 4]);
    expect(logs.filter((line) => line.includes('waiting until enough other workers serve'))).toHaveLength(1);
  });

  it('waits once when asked twice, and exits for the need that remains', async () => {
    start([WAIT, WAIT, WAIT], EXIT);
    let isFirstNeeded = true;
    replacement.ask(() => isFirstNeeded);
    replacement.ask(async () => true);
    isFirstNeeded = false;
    await expect.poll(() => exits).toBe(1);
    expect(fleets).toHaveLength(4);
  });

  it('stays once nothing needs it anymore, and counts again when asked later', async () => {
    start([], WAIT);
    let isNeeded = true;
    replacement.ask(() => isNeeded);
    await expect.poll(() => fleets.length).toBeGreaterThan(1);
    isNeeded = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = fleets.length;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(fleets).toHaveLength(before);
    expect([exits, replacement.exitCode]).toEqual([0, 0]);
    answers = [EXIT];
    replacement.ask(() => true);
    await expect.poll(() => exits).toBe(1);
    expect(fleets.at(-1)).toBeUndefined();
  });

  it('counts again when workers that left do not return', async () => {
    start([], WAIT, 30);
    replacement.ask(() => true);
    await expect.poll(() => fleets.filter((fleet) => fleet === undefined).length).toBeGreaterThan(1);
    expect(fleets).toContain(4);
  });

  it('asks again after errors', async () => {
    start([new Error('the database is unavailable')], EXIT);
    let isBroken = true;
    replacement.ask(async () => {
      if (isBroken) {
        isBroken = false;
        throw new Error('the database is unavailable');
      }
      return true;
    });
    await expect.poll(() => exits).toBe(1);
    expect(logs.join()).toContain('could not check what jobs need');
    expect(logs.join()).toContain('could not ask whether enough others serve');
  });

  it('does not exit once the worker exits for another reason', async () => {
    start([WAIT], EXIT);
    replacement.ask(() => true);
    replacement.end();
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect([exits, replacement.exitCode]).toEqual([0, 0]);
  });
});
