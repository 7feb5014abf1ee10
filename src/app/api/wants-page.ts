import type { FastifyRequest } from '../../common/requests/request-context.js';

/** Whether a browser asks for a page, and not a program for data. */
export function wantsPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}
