import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from '../../common/requests/request-context.js';
import type { Session } from './session.js';

/** The session, as a parameter of a route that requires one. */
export const CurrentSession = createParamDecorator((_: unknown, context: ExecutionContext): Session => {
  const { session } = context.switchToHttp().getRequest<FastifyRequest>();
  if (session === undefined) throw new Error('CurrentSession on a route that demands no session');
  return session;
});
