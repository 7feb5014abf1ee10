import type { LoggerService } from '@nestjs/common';
import { afterEach, describe, expect, it } from 'vitest';
import { Replacement } from './replacement.js';

const WAIT = false;
const EXIT = true;

describe('Replacement with MODEL_SWAP=exit', () => {
  let replacement: Replacement;
  let answers: (boolean | Error)[];
  let requests: number;
  let logs: string[];
  let exits: number;

  /** @param last the response to each further request */
  function start(first: (boolean | Error)[], last: boolean): void {
    answers = [...first];
    requests = 0;
    logs = [];
    exits = 0;
    const log = (...texts: unknown[]) => logs.push(texts.map(String).join(' '));
    replacement = new Replacement({
      how: 'exit',
      requestExit: async () => {
        requests += 1;
        const answer = answers.shift() ?? last;
        if (answer instanceof Error) throw answer;
        return answer;
      },
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
    expect(requests).toBe(3);
    expect(logs.filter((line) => line.includes('waiting until enough other workers serve'))).toHaveLength(1);
  });

  it('waits once when asked twice, and exits for the need that remains', async () => {
    start([WAIT, WAIT, WAIT], EXIT);
    let isFirstNeeded = true;
    replacement.ask(() => isFirstNeeded);
    replacement.ask(async () => true);
    isFirstNeeded = false;
    await expect.poll(() => exits).toBe(1);
    expect(requests).toBe(4);
  });

  it('stays once nothing needs it anymore, and waits again when asked later', async () => {
    start([], WAIT);
    let isNeeded = true;
    replacement.ask(() => isNeeded);
    await expect.poll(() => requests).toBeGreaterThan(1);
    isNeeded = false;
    await new Promise((resolve) => setTimeout(resolve, 50));
    const before = requests;
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(requests).toBe(before);
    expect([exits, replacement.exitCode]).toEqual([0, 0]);
    answers = [EXIT];
    replacement.ask(() => true);
    await expect.poll(() => exits).toBe(1);
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
