import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope, OptionalKey } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { AppError } from '../../kernel/app-error.js';
import { DocsSite } from '../site/docs-site.js';
import { PROGRAM_PATH } from './page-slashes.js';
import { wantsPage } from './wants-page.js';
import { WebFiles } from './web-files.js';

const DOCS = '/docs/';

/**
 * Serves every unmatched request. Below /api, a key is required and rate limited as usual; elsewhere, a key is checked
 * only if one is sent. So every response to a valid key contains its rate limit, including this 404 or 405.
 */
@ApiExcludeController()
@Controller()
export class UnknownRouteController {
  constructor(
    private readonly files: WebFiles,
    private readonly docs: DocsSite,
  ) {}

  @All('api/*')
  @AnyScope()
  unknownOperation(@Req() request: FastifyRequest, @Res({ passthrough: true }) reply: FastifyReply): never {
    throw refusal(request, reply);
  }

  /** A browser that follows a dead link gets the not-found page of the dashboard or documentation, with status 404. */
  @All('*')
  @OptionalKey()
  async unknownAddress(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path = ''] = request.url.split('?');
    const isInDocs = path.startsWith(DOCS) && !path.includes('.');
    if (!wantsPage(request) || (PROGRAM_PATH.test(path) && !isInDocs)) throw refusal(request, reply);
    if (isInDocs)
      void reply
        .status(404)
        .type('text/html; charset=utf-8')
        .send(await this.docs.notFoundPage(path.slice(DOCS.length)));
    else await this.files.sendPage(reply.status(404));
  }
}

/** 405 for a route that has other methods, 404 for a path without a route. */
function refusal(request: FastifyRequest, reply: FastifyReply): AppError {
  const [path = ''] = request.url.split('?');
  const methods = request.server.routeMethods.of(path);
  // The router also refuses parameters that are too long, regardless of the method.
  if (methods.length > 0 && !methods.includes(request.method)) {
    void reply.header('Allow', methods.join(', '));
    return new AppError('method_not_allowed', {
      detail: `This route does not accept ${request.method}, only ${methods.join(', ')}.`,
    });
  }
  return new AppError('not_found', {
    detail: 'This route does not exist. See /docs for all routes.',
  });
}
