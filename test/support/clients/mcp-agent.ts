import { join } from 'node:path';
import { CLIENT } from './client-build.js';
import { connectOverHttp, connectOverStdio } from './mcp-client.mjs';

/** The command line as it is built. */
export const COMMAND_LINE = join(CLIENT, 'dist', 'esm', 'cli', 'main.js');

/** What a tool answers. */
export interface Answer {
  readonly isError?: boolean;
  readonly content: readonly {
    readonly type: string;
    readonly text?: string;
    readonly data?: string;
    readonly mimeType?: string;
  }[];
}

/** What is used of the SDK's client. The SDK is not installed everywhere, so its types are not used. */
export interface Agent {
  listTools: () => Promise<{ tools: { name: string; inputSchema: { properties: object } }[] }>;
  callTool: (call: object, schema?: undefined, options?: object) => Promise<Answer>;
  close: () => Promise<void>;
}

/** An agent with a server of its own. */
export const overStdio = async (
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<Agent> => (await connectOverStdio({ args, env })) as Agent;

/** An agent of a server that runs. */
export const overHttp = async (url: string, headers: Readonly<Record<string, string>>): Promise<Agent> =>
  (await connectOverHttp(url, headers)) as Agent;
