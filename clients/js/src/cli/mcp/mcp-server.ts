import type { ImageEnhancement } from '../../node.js';
import { VERSION } from '../../version.js';
import { describeFailure } from './describe-failure.js';
import type { Roots } from './roots.js';
import type { McpExtra, McpRequest, McpSdk, McpServer } from './sdk.js';
import { TOOLS } from './tools.js';

const INSTRUCTIONS =
  'Enhances images with an image enhancement service. Each operation on an image costs one enhancement of the plan; failed ones cost nothing.';

/** A Model Context Protocol server for one connection. */
export function mcpServer(sdk: McpSdk, client: ImageEnhancement, roots: Roots): McpServer {
  const info = { name: 'image-enhancement', version: VERSION };
  const server = new sdk.Server(info, { capabilities: { tools: {} }, instructions: INSTRUCTIONS });
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => ({
    tools: TOOLS.map(({ run: _run, ...tool }) => tool),
  }));
  server.setRequestHandler(sdk.CallToolRequestSchema, (request, extra) =>
    callTool(client, roots, request, extra),
  );
  return server;
}

/** Returns errors as results, so that the agent can read them and correct its call. */
async function callTool(
  client: ImageEnhancement,
  roots: Roots,
  { params }: McpRequest,
  { signal, sendNotification }: McpExtra,
): Promise<object> {
  const tool = TOOLS.find(({ name }) => name === params.name);
  if (tool === undefined) return failure(`There is no tool ${params.name}.`);
  // eslint-disable-next-line no-underscore-dangle -- the name that the protocol gives it
  const progressToken = params._meta?.progressToken;
  const onProgress = (progress: number, message: string): void => {
    if (progressToken === undefined) return;
    const notification = { progressToken, progress, total: 1, message };
    // Ignore errors, because the client may have disconnected.
    sendNotification({ method: 'notifications/progress', params: notification }).catch(() => undefined);
  };
  const args = params.arguments ?? {};
  try {
    return { content: await tool.run({ client, roots, signal, onProgress }, args) };
  } catch (error) {
    return failure(describeFailure(error, args));
  }
}

function failure(text: string): object {
  return { content: [{ type: 'text', text }], isError: true };
}
