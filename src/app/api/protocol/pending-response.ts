import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Node stores the pending response of a connection under this name, also to decide whether it may write an error. */
const PENDING = '_httpMessage';

type ServerSocket = Socket & { readonly [PENDING]?: Pick<ServerResponse, 'headersSent'> | null };

/** The response that a connection owes to an earlier request. Anything written before its end is read as part of it. */
export function pendingResponse(socket: Socket): Pick<ServerResponse, 'headersSent'> | undefined {
  return (socket as ServerSocket)[PENDING] ?? undefined;
}
