import { Controller, Get, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { WebFiles } from './web-files.js';

/** Paths of the dashboard's pages; each serves the same document. */
export const WEB_PAGES = [
  '/',
  'sign-in',
  'sign-up',
  'invitation',
  'forgot-password',
  'reset-password',
  'verify-email',
  'change-email',
  'playground',
  'results',
  'results/shared',
  'jobs',
  'jobs/:id',
  'batches',
  'batches/:id',
  'photos',
  'keys',
  'members',
  'activity',
  'usage',
  'webhooks',
  'webhooks/*',
  'models',
  'account',
  'account/security',
  'operator',
  'operator/accounts',
  'operator/accounts/:id',
  'operator/failed-jobs',
  'operator/failing-endpoints',
  'operator/sign-in-as',
  'operator/workers',
  'operator/models',
  'operator/models/:operation/compare',
  'operator/audit',
  'operator/settings',
];

/** The built dashboard. Its files are public: the data on its pages comes from the API. */
@ApiExcludeController()
@Controller()
@Public()
export class WebPagesController {
  constructor(private readonly files: WebFiles) {}

  @Get(WEB_PAGES)
  page(@Res() reply: FastifyReply): Promise<void> {
    return this.files.sendPage(reply);
  }

  /** Their names contain a hash of their content. */
  @Get('assets/:name')
  asset(@Param('name') name: string, @Res() reply: FastifyReply): Promise<void> {
    return this.files.sendAsset(reply, name);
  }

  @Get(['favicon.svg', 'theme.js'])
  file(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.files.sendFile(reply, request.routeOptions.url!.slice(1));
  }
}
