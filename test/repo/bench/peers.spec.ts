import { describe, expect, it } from 'vitest';
import { LinePeer } from '../../../scripts/bench/peers/line-peer.mjs';
import { startIfInstalled } from '../../../scripts/bench/peers/optional.mjs';

/** Echoes each task, except for the task "fail". */
const ECHO = `
  console.log('{"ready":true}');
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) =>
    console.log(JSON.parse(line).fail ? '{"error":"no such picture"}' : line));
`;
const echo = () => LinePeer.start(process.execPath, ['-e', ECHO]);

describe('a program that the service is compared with', () => {
  it('answers each task, and fails a task with its own message', async () => {
    const peer = await echo();
    try {
      expect(await peer.ask({ from: 'a.jpg' })).toEqual({ from: 'a.jpg' });
      await expect(peer.ask({ fail: true })).rejects.toThrow('no such picture');
    } finally {
      peer.close();
    }
  });

  it('is listed with the reason when it does not start', async () => {
    const missing: string[] = [];
    const starts: [name: string, path: string, () => Promise<LinePeer>][] = [
      ['absent', '/nowhere/program', echo],
      ['not executable', process.execPath, () => LinePeer.start('/nowhere/program', [])],
      ['broken', process.execPath, () => LinePeer.start(process.execPath, ['-e', 'process.exit(1)'])],
    ];
    for (const [name, path, start] of starts)
      expect(await startIfInstalled(missing, name, path, start)).toBeUndefined();
    expect(missing).toEqual([
      'absent (npm run peers:setup)',
      expect.stringContaining('not executable (the program ended: /nowhere/program'),
      expect.stringContaining('broken (the program ended: '),
    ]);
  });
});
