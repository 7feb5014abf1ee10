import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';

/**
 * Tries what an attacker would do and a decoder never does, and prints how each attempt ended. A separate program to
 * start under a confinement.
 */
const codeOf = (emitter) => new Promise((resolve) => emitter.once('error', ({ code }) => resolve(code)));

const child = spawnSync('/bin/true', { stdio: 'ignore' }).error?.code ?? 'started';
const tcp = await Promise.race([codeOf(connect(9, '127.0.0.1')), sleep(2_000, 'created')]);
const udp = createSocket('udp4');
udp.bind(0);
const datagram = await Promise.race([codeOf(udp), sleep(2_000, 'created')]);
const thread = await new Promise((resolve) => {
  const worker = new Worker('1', { eval: true });
  worker.once('error', ({ code }) => resolve(code)).once('exit', () => resolve('started'));
});
process.stdout.write(JSON.stringify({ process: child, tcp, datagram, thread }), () => process.exit());
