import { applyDecorators, createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiHeader } from '@nestjs/swagger';
import { goneSignal } from './gone-signal.js';
import type { FastifyReply, FastifyRequest } from './request-context.js';

/** How long a request may be held open. */
export interface Patience {
  /** 0 means respond immediately. */
  readonly waitMs: number;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
}

/**
 * Maximum wait of one request, in seconds. nginx and the load balancers of AWS close a connection without data after 60
 * seconds; the remaining five are for the work before and after the wait.
 */
export const MAX_WAIT_SECONDS = 55;

/** Reads `Prefer: wait=<seconds>` (RFC 7240). An invalid preference is ignored. Longer waits are reduced. */
export function waitSecondsOf(prefer: string | string[] | undefined): number {
  const text = Array.isArray(prefer) ? prefer.join(',') : (prefer ?? '');
  const found = /(?:^|[,;\s])wait\s*=\s*"?(\d{1,6})"?\s*(?:$|[,;\s])/i.exec(text);
  return found === null ? 0 : Math.min(MAX_WAIT_SECONDS, Number(found[1]));
}

/** The `Preference-Applied` header of a response that was delayed. */
export const preferenceApplied = ({ waitMs }: Patience): string => `wait=${waitMs / 1000}`;

/** The requested wait, as a parameter of a route. */
export const PreferWait = createParamDecorator((_: unknown, context: ExecutionContext): Patience => {
  const http = context.switchToHttp();
  const { raw } = http.getResponse<FastifyReply>();
  const request = http.getRequest<FastifyRequest>();
  const seconds = waitSecondsOf(request.headers['prefer']);
  if (seconds > 0) request.isHeld = true;
  return { waitMs: seconds * 1000, signal: goneSignal(raw) };
});

/** Writes the preference into the OpenAPI document. */
export const ApiPreferWait = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: 'Prefer',
      required: false,
      description: `\`wait=<seconds>\`: the response is sent when the job ends or the time is up. Longer waits are reduced to ${MAX_WAIT_SECONDS} seconds. The \`Preference-Applied\` header confirms that the service waited.`,
      schema: { type: 'string', example: 'wait=30' },
    }),
  );
