import { UsageError } from '../values.js';

/**
 * The parts of `@modelcontextprotocol/sdk` that are used. The package is loaded when the command runs, and only users
 * of the command install it, so this library must build without its types.
 */
export interface McpSdk {
  readonly Server: new (
    info: { readonly name: string; readonly version: string },
    options: { readonly capabilities: { readonly tools: object }; readonly instructions: string },
  ) => McpServer;
  readonly StdioServerTransport: new () => McpTransport;
  readonly StreamableHTTPServerTransport: new (options: {
    readonly sessionIdGenerator: undefined;
  }) => HttpTransport;
  readonly ListToolsRequestSchema: unknown;
  readonly CallToolRequestSchema: unknown;
}

export interface McpServer {
  onclose?: () => void;
  setRequestHandler: (schema: unknown, handler: (request: McpRequest, extra: McpExtra) => unknown) => void;
  connect: (transport: McpTransport) => Promise<void>;
  close: () => Promise<void>;
}

export interface McpTransport {
  close: () => Promise<void>;
}

export interface HttpTransport extends McpTransport {
  handleRequest: (request: unknown, response: unknown) => Promise<void>;
}

export interface McpRequest {
  readonly params: {
    readonly name: string;
    readonly arguments?: Readonly<Record<string, unknown>>;
    readonly _meta?: { readonly progressToken?: string | number };
  };
}

export interface McpExtra {
  /** Aborted when the client cancels the request or disconnects. */
  readonly signal: AbortSignal;
  readonly sendNotification: (notification: object) => Promise<void>;
}

const PACKAGE = '@modelcontextprotocol/sdk';

/** @throws UsageError when the package is not installed */
export async function loadMcpSdk(): Promise<McpSdk> {
  const parts = ['server/index.js', 'server/stdio.js', 'server/streamableHttp.js', 'types.js'];
  try {
    const modules = await Promise.all(parts.map((part) => import(`${PACKAGE}/${part}`) as Promise<object>));
    return Object.assign({}, ...modules) as McpSdk;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw new UsageError(`The command mcp needs one more package: npm install ${PACKAGE}`);
  }
}
