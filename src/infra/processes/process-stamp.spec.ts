import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { isAlive, processStamp } from './process-stamp.mjs';

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
