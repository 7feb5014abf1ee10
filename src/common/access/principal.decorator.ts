import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import type { Principal } from '../../kernel/principal.js';
import type { FastifyRequest } from '../requests/request-context.js';

/** The authenticated key, as a parameter of a route that requires one. */
export const CurrentPrincipal = createParamDecorator((_: unknown, context: ExecutionContext): Principal => {
  const { principal } = context.switchToHttp().getRequest<FastifyRequest>();
  if (principal === undefined) throw new Error('CurrentPrincipal on a route that demands no key');
  return principal;
});
