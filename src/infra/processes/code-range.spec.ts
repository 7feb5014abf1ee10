import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { reservedCodeBytes, writableCodeBytes } from './code-range.js';
import { memoryLimitedCommand } from './memory-limited-command.js';

/** Lines of `/proc/<pid>/maps` of Node.js 24: its own code, a reserved range of V8, the code range, a library. */
const NODE_24 = `00400000-02cfa000 r-xp 00001000 fd:00 1 /usr/local/bin/node
7f0000000000-7f0004000000 ---p 00000000 00:00 0
7f1000000000-7f101fdc0000 rwxp 00000000 00:00 0
7f2000000000-7f2000100000 rw-p 00000000 00:00 0
7f3000000000-7f3000028000 r-xp 00000000 fd:00 2 /lib/libc.so.6
`;

describe('the range for compiled code', () => {
  it('is the memory that is mapped as writable and executable', () => {
    expect(writableCodeBytes(NODE_24)).toBe(0x1fdc0000);
    expect(writableCodeBytes(NODE_24.replace('rwxp', '---p'))).toBe(0);
    expect(writableCodeBytes('')).toBe(0);
  });

  it('does not count toward the memory limit of a program', () => {
    const bytes = 300_000_000;
    const limited = (script: string) => {
      const [command, args] = memoryLimitedCommand(bytes, [process.execPath, '-e', script]);
      return spawnSync(command, args, { encoding: 'utf8', env: {} });
    };
    expect(limited('Buffer.alloc(100e6); console.log("started")')).toMatchObject({
      status: 0,
      stdout: 'started\n',
    });
    // The limit is the same for every Node.js version: reserved memory does not count toward it.
    expect(limited('Buffer.alloc(400e6)').status).not.toBe(0);
    expect(reservedCodeBytes()).toBeLessThan(2 ** 30);
  });
});
