import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RoleProcess } from './role-process.js';
import { StartError } from '../roles/start-error.js';

/** Records its pid and WORD at each start, and its messages; exits according to MODE. */
const PROGRAM = `
import { appendFileSync } from 'node:fs';
appendFileSync(process.env.LIVES, process.pid + ' ' + process.env.WORD + '\\n');
if (process.env.MODE === 'config') process.exit(78);
if (process.env.MODE === 'broken') process.exit(3);
process.on('SIGTERM', () => { if (process.env.MODE !== 'deaf') process.exit(0); });
process.on('disconnect', () => process.exit(0));
if (process.env.MODE === 'stillborn') process.exit(4);
const say = (message) => process.send(message);
process.on('message', (message) => {
  appendFileSync(process.env.TOLD, process.pid + ' ' + JSON.stringify(message) + '\\n');
  if (process.env.MODE === 'declines') say({ type: 'declined', reason: 'upscale would be lost' });
  if (message.type === 'retire') setTimeout(() => process.exit(0), Number(process.env.RETIRES_MS));
});
if (process.env.MODE === 'declines') say({ type: 'whose-successor' });
else if (process.argv.includes('--held'))
  process.on('message', ({ type }) => { if (type === 'begin') say({ type: 'ready' }); });
else if (process.env.MODE !== 'hangs')
  setTimeout(() => {
    say({ type: 'ready', standing: process.env.WORD, canRetire: 'RETIRES_MS' in process.env });
    if (process.env.MODE === 'asks') say({ type: 'replace' });
  }, Number(process.env.DELAY ?? 0));
process.on('SIGUSR2', () => process.send({ type: 'replace' }));
`;

describe('RoleProcess', () => {
  let dir: string;
  let role: RoleProcess;
  let environment: Record<string, string>;
  let lines: string[];
  const say = (text: string) => lines.push(text);

  const lives = () => readFileSync(join(dir, 'lives'), 'utf8').trim().split('\n');
  const pids = () => lives().map((line) => Number(line.split(' ')[0]));
  const begin = (mode: string, how: 'start' | 'startHeld' = 'start', more: Record<string, string> = {}) => {
    environment = { ...more, LIVES: join(dir, 'lives'), TOLD: join(dir, 'told'), MODE: mode, WORD: 'first' };
    role = new RoleProcess({
      role: 'worker',
      program: join(dir, 'program.mjs'),
      environment: () => environment,
      log: { info: say, warn: say, error: say },
      takeoverLimitMs: 2_000,
    });
    role[how]();
  };
  /** Waits as long as processes take to start and exit on a busy machine. */
  const soon = <T>(check: () => T): Promise<T> => vi.waitFor(check, { timeout: 20_000 });
  const told = () => readFileSync(join(dir, 'told'), 'utf8').trim().split('\n');
  const untilLives = (count: number) => soon(() => expect(lives()).toHaveLength(count));

  beforeEach(() => {
    lines = [];
    dir = mkdtempSync(join(tmpdir(), 'ies-role-'));
    writeFileSync(join(dir, 'program.mjs'), PROGRAM);
  });
  afterEach(async () => {
    await role.stop(0);
    rmSync(dir, { recursive: true });
  });

  it('restarts a killed role with the current environment', async () => {
    begin('well');
    await role.ready;
    environment = { ...environment, WORD: 'second' };
    process.kill(pids()[0]!, 'SIGKILL');
    await untilLives(2);
    expect(lives()[1]).toMatch(/second$/);
    expect(lines).toEqual(['worker exited (SIGKILL); starting it again in 250 ms']);
  });

  it('does not restart a stopped role', async () => {
    begin('well');
    await role.ready;
    await role.stop(20_000);
    expect(() => process.kill(pids()[0]!, 0)).toThrow(/ESRCH/);
    expect(lines).toEqual([]);
  });

  it('kills a role that does not drain in time', async () => {
    begin('deaf');
    await role.ready;
    await role.stop(100);
    expect(() => process.kill(pids()[0]!, 0)).toThrow(/ESRCH/);
    expect(lines).toEqual(['worker did not exit in time; killing it']);
  });

  describe('started before the database', () => {
    const URL = 'postgres://where/ever';
    const isReady = () => Promise.race([role.ready.then(() => true), Promise.resolve(false)]);

    it('is ready only after its release, and then knows the database address', async () => {
      begin('well', 'startHeld');
      await untilLives(1);
      expect(await isReady()).toBe(false);
      role.release(URL);
      await role.ready;
      expect(told()).toEqual([`${pids()[0]} {"type":"begin","databaseUrl":"${URL}"}`]);
      expect(lives()).toHaveLength(1);
    });

    it('receives a release that comes while it is still loading', async () => {
      begin('well', 'startHeld');
      role.release(URL);
      await role.ready;
      expect(lives()).toHaveLength(1);
    });

    it('restarts as usual after the release if it died before', async () => {
      begin('well', 'startHeld');
      await untilLives(1);
      process.kill(pids()[0]!, 'SIGKILL');
      await soon(() => expect(lines).toHaveLength(1));
      role.release(URL);
      await role.ready;
      expect(lives()).toHaveLength(2);
    });

    it('can be stopped before its release', async () => {
      begin('well', 'startHeld');
      await untilLives(1);
      await role.stop(20_000);
      expect(() => process.kill(pids()[0]!, 0)).toThrow(/ESRCH/);
      expect(lines).toEqual([]);
    });
  });

  describe('asked for a successor', () => {
    const ask = () => process.kill(pids()[0]!, 'SIGUSR2');
    const isGone = (pid: number) => {
      try {
        process.kill(pid, 0);
        return false;
      } catch {
        return true;
      }
    };

    it('starts one, and ends the first process only when the new one is ready', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, DELAY: '400' };
      ask();
      await untilLives(2);
      expect(isGone(pids()[0]!)).toBe(false);
      await soon(() => expect(isGone(pids()[0]!)).toBe(true));
      expect(isGone(pids()[1]!)).toBe(false);
      expect(lines).toEqual([
        'starting another worker, which will take over',
        `the new worker has taken over (pid ${pids()[1]})`,
      ]);
    });

    it('starts another one if the successor itself asks as soon as it is ready', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'asks', DELAY: '600' };
      ask();
      await untilLives(2);
      environment = { ...environment, MODE: 'well' };
      await untilLives(3);
      const last = `the new worker has taken over (pid ${pids()[2]})`;
      await soon(() => expect(lines.at(-1)).toBe(last));
    });

    it('lets the first process end by itself if it can retire', async () => {
      begin('well', 'start', { RETIRES_MS: '200' });
      await role.ready;
      ask();
      await untilLives(2);
      await soon(() => expect(isGone(pids()[0]!)).toBe(true));
      expect(told()).toEqual([`${pids()[0]} {"type":"retire"}`]);
    });

    it.each([
      ['stopped', () => role.stop(20_000)],
      ['restarted', async () => role.restart()],
    ])('drains a retiring process when it is %s', async (_, end) => {
      begin('well', 'start', { RETIRES_MS: '600000' });
      await role.ready;
      ask();
      await soon(() => expect(told()).toHaveLength(1));
      expect(pids().map(isGone)).toEqual([false, false]);
      await end();
      await soon(() => expect(pids().slice(0, 2).map(isGone)).toEqual([true, true]));
      expect(lines.join(' ')).not.toMatch(/killing/);
    });

    it('tries three times, and keeps the first process if none becomes ready', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'stillborn' };
      ask();
      await soon(() =>
        expect(lines.at(-1)).toMatch(/did not take over: it failed to start \(exit code 4\); the previous/),
      );
      expect(lives()).toHaveLength(4);
      expect(isGone(pids()[0]!)).toBe(false);
    });

    it('lets the successor decline, tells the first process why, and starts no other', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'declines' };
      ask();
      const [first, second] = await soon(() => {
        expect(told()).toHaveLength(2);
        return pids();
      });
      expect(told()).toEqual([
        `${second} {"type":"predecessor","standing":"first"}`,
        `${first} {"type":"stays","reason":"upscale would be lost"}`,
      ]);
      expect(lines.slice(1)).toEqual([
        'the new worker did not take over: upscale would be lost; the previous one keeps running',
      ]);
      expect([first, second].map((pid) => isGone(pid!))).toEqual([false, true]);
      expect(lives()).toHaveLength(2);
    });

    it('kills a successor that hangs, and keeps the first process until another is requested', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'hangs' };
      ask();
      await soon(() => expect(told()).toHaveLength(1));
      expect(told()).toEqual([`${pids()[0]} {"type":"stays","reason":"it was not ready after 2 s"}`]);
      expect(pids().map(isGone)).toEqual([false, true]);
      environment = { ...environment, MODE: 'well' };
      ask();
      await soon(() => expect(lines.at(-1)).toMatch(/has taken over/));
    });

    it('starts a successor that was requested while another one hung', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'hangs' };
      ask();
      await untilLives(2);
      environment = { ...environment, MODE: 'well' };
      ask();
      await soon(() => expect(lines.at(-1)).toMatch(/has taken over/));
      expect(lines[1]).toBe('the new worker was not ready after 2 s; killing it');
      expect(lives()).toHaveLength(3);
    });

    it('starts a new process when the first dies while a successor hangs', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, MODE: 'hangs' };
      ask();
      await untilLives(2);
      environment = { ...environment, MODE: 'well' };
      process.kill(pids()[0]!, 'SIGKILL');
      await untilLives(3);
      expect(pids().map(isGone)).toEqual([true, true, false]);
    });

    it('starts no third process when the first is killed meanwhile', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, DELAY: '400' };
      ask();
      await untilLives(2);
      process.kill(pids()[0]!, 'SIGKILL');
      await soon(() => expect(lines.at(-1)).toMatch(/has taken over/));
      expect(lives()).toHaveLength(2);
    });

    it('tries again when the successor is killed, and ends both when stopped meanwhile', async () => {
      begin('well');
      await role.ready;
      environment = { ...environment, DELAY: '5000' };
      ask();
      await untilLives(2);
      process.kill(pids()[1]!, 'SIGKILL');
      await untilLives(3);
      await role.stop(20_000);
      expect(pids().map(isGone)).toEqual([true, true, true]);
    });
  });

  it('gives up after three failures, and at once if the configuration is wrong', async () => {
    begin('broken');
    await expect(role.ready).rejects.toThrow(StartError);
    expect(lives()).toHaveLength(3);
    rmSync(join(dir, 'lives'));
    begin('config');
    await expect(role.ready).rejects.toThrow('The worker failed to start (exit code 78)');
    expect(lives()).toHaveLength(1);
  });
});
