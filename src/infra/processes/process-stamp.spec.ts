import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { afterEach, describe, expect, it } from 'vitest';
import { isAlive, processRealm, processStamp } from './process-stamp.mjs';

describe('processStamp', () => {
  it('stays the same while a process lives, and is undefined afterward', async () => {
    const child = spawn(process.execPath, ['-e', 'process.stdin.resume()'], {
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    await once(child, 'spawn');
    const stamp = processStamp(child.pid!);
    expect(stamp).toBeDefined();
    expect(processStamp(child.pid!)).toBe(stamp);
    expect(isAlive(child.pid!)).toBe(true);
    child.stdin.end();
    await once(child, 'exit');
    expect(processStamp(child.pid!)).toBeUndefined();
    expect(isAlive(child.pid!)).toBe(false);
  });

  it('differs between two processes', async () => {
    // Process 1 started at boot; this one started later.
    expect(process.platform === 'linux' && processStamp(process.pid) === processStamp(1)).toBe(false);
  });
});

describe('processRealm', () => {
  const platform = Object.getOwnPropertyDescriptor(process, 'platform')!;
  afterEach(() => void Object.defineProperty(process, 'platform', platform));

  it.runIf(process.platform === 'linux')('names the process namespace', () => {
    expect(processRealm()).toMatch(/^[\da-f-]{36} pid:\[\d+\]$/);
  });

  it('does not depend on the name of the machine elsewhere, which a new network may change', () => {
    Object.defineProperty(process, 'platform', { ...platform, value: 'darwin' });
    expect(processRealm()).not.toBe(hostname());
  });
});
