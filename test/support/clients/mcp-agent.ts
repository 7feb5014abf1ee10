import { join } from 'node:path';
import { CLIENT } from './client-build.js';
import { connectOverHttp, connectOverStdio } from './mcp-client.mjs';

/** The built command line. */
export const COMMAND_LINE = join(CLIENT, 'dist', 'esm', 'cli', 'main.js');

/** The response of a tool. */
export interface Answer {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
  }[];
}

/** The parts of the SDK's client that are used. The SDK is optional, so its types are not used. */
export interface Agent {
  listTools: () => Promise<{ tools: { name: string; inputSchema: { properties: object } }[] }>;
  callTool: (call: object, schema?: undefined, options?: object) => Promise<Answer>;
  close: () => Promise<void>;
}

/** An agent that starts its own server. */
export const overStdio = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Agent> => (await connectOverStdio({ args, env })) as Agent;

/** An agent connected to a running server. */
export const overHttp = async (url: string, headers: Readonly<Record<string, string>>): Promise<Agent> =>
  (await connectOverHttp(url, headers)) as Agent;
