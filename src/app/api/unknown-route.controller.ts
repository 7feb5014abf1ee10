import { All, Controller, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope, OptionalKey } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { AppError } from '../../kernel/app-error.js';
import { WebFiles } from './web-files.js';

/** API paths, where browsers also get a problem document. */
const PROGRAM_PATH = /^\/(api|assets|dashboard|docs|files|health|metrics)(\/|$)/;

/** One leading slash: `//host/` would redirect to another site. */
const PAGE_WITH_SLASH = /^\/\w[\w/-]*\/$/;

/**
 * Serves every unmatched request. Below /api the key is required and counted as anywhere else; elsewhere it is checked
 * if one is sent. Every response to a valid key thus carries its rate limit, including this 404.
 */
@ApiExcludeController()
@Controller()
export class UnknownRouteController {
  constructor(private readonly files: WebFiles) {}

  @All('api/*')
  @AnyScope()
  unknownOperation(): never {
    throw notFound();
  }

  /** A browser that follows a dead link gets the dashboard's not-found page, with status 404. */
  @All('*')
  @OptionalKey()
  async unknownAddress(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    const [path = ''] = request.url.split('?');
    if (!wantsPage(request) || PROGRAM_PATH.test(path)) throw notFound();
    if (PAGE_WITH_SLASH.test(path)) void reply.redirect(path.slice(0, -1), 308);
    else await this.files.sendPage(reply.status(404));
  }
}

function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (method === 'GET' || method === 'HEAD') && headers.accept?.includes('text/html') === true;
}

function notFound(): AppError {
  return new AppError('not_found', {
    detail: 'This route does not exist. See /docs for all routes.',
  });
}
