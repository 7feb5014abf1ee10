import { createServer, type Server } from 'node:net';
import { describe, expect, it } from 'vitest';
import { apiPort } from './api-port.js';

describe('apiPort', () => {
  it('picks a free port for 0, and keeps a given port that is free', async () => {
    const port = await apiPort('127.0.0.1', 0);
    expect(port).toBeGreaterThan(0);
    expect(await apiPort('127.0.0.1', port)).toBe(port);
  });

  it('names a port that is in use', async () => {
    const port = await apiPort('127.0.0.1', 0);
    const server = await new Promise<Server>((resolve) => {
      const listening = createServer().listen(port, '127.0.0.1', () => resolve(listening));
    });
    await expect(apiPort('127.0.0.1', port)).rejects.toThrow(
      `Port ${port} of 127.0.0.1 is already in use. Stop the process that uses it, or set another port, such as PORT=${port + 1}, or another address (HOST).`,
    );
    server.close();
  });

  it('names an address that does not belong to this machine', async () => {
    await expect(apiPort('192.0.2.1', 0)).rejects.toThrow(
      'HOST=192.0.2.1 is not an address of this machine.',
    );
  });
});
