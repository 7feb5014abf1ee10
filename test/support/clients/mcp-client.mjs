import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

/** An agent: the SDK's own client, connected to a server that it starts. */
export async function connectOverStdio({ args, env }) {
  return connect(new StdioClientTransport({ command: process.execPath, args, env, stderr: 'ignore' }));
}

/** An agent connected to a running server. */
export async function connectOverHttp(url, headers = {}) {
  return connect(new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers } }));
}

async function connect(transport) {
  const client = new Client({ name: 'spec', version: '1.0.0' });
  await client.connect(transport);
  return client;
}
