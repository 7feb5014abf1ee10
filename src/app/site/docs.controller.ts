import { createHash } from 'node:crypto';
import { Controller, Get, Header, Inject, Param, Req, Res } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';
import { wantsPage } from '../api/wants-page.js';
import { DocsSite } from './docs-site.js';
import { MAX_QUERY_LENGTH, type SearchHit } from './site-search.js';
import { llmsText } from './start-page.js';

const HTML = 'text/html; charset=utf-8';

/** The documentation site: pages, their Markdown, search. Problem documents and upgrade hints link here. */
@ApiExcludeController()
@Controller()
@Public()
export class DocsController {
  constructor(
    private readonly site: DocsSite,
    private readonly offered: AvailableOperations,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('docs')
  start(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    return this.sendPage(request, reply, '');
  }

  @Get('docs/search')
  @Header('Content-Type', HTML)
  searchPage(@Req() request: FastifyRequest): Promise<string> {
    return this.site.searchPage(queryOf(request));
  }

  @Get('docs/search.json')
  search(@Req() request: FastifyRequest): Promise<SearchHit[]> {
    return this.site.find(queryOf(request));
  }

  @Get('docs/model-status')
  async modelStatus(@Req() request: FastifyRequest, @Res() reply: FastifyReply): Promise<void> {
    send(request, reply, await this.site.modelStatusPage(this.offered.health()), HTML);
  }

  @Get('docs/:name')
  async page(
    @Param('name') name: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    if (name.endsWith('.md')) {
      const text = await this.site.markdown(name.slice(0, -3));
      return send(request, reply, text, 'text/markdown; charset=utf-8');
    }
    const file = await this.site.file(name);
    if (file !== undefined) return send(request, reply, file.bytes, file.type);
    return this.sendPage(request, reply, name);
  }

  @Get('docs/reference/:group')
  group(
    @Param('group') group: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.sendPage(request, reply, `reference/${group}`);
  }

  @Get('llms.txt')
  @Header('Content-Type', 'text/plain; charset=utf-8')
  llms(): string {
    return llmsText(this.config.publicUrl);
  }

  private async sendPage(request: FastifyRequest, reply: FastifyReply, path: string): Promise<void> {
    const page = await this.site.page(path);
    const isPage = !path.includes('.') && wantsPage(request);
    if (page !== undefined || !isPage) return send(request, reply, page, HTML);
    void reply
      .status(404)
      .type(HTML)
      .send(await this.site.notFoundPage(request.url.split('?', 1)[0]!.slice('/docs/'.length)));
  }
}

/** The search query, truncated to a length that people would type. */
function queryOf({ query }: FastifyRequest): string {
  const { q } = query as { readonly q?: unknown };
  return typeof q === 'string' ? q.slice(0, MAX_QUERY_LENGTH) : '';
}

/** Sends content that browsers revalidate; responds with 304 while it is unchanged. @throws AppError `not_found` */
function send(
  request: FastifyRequest,
  reply: FastifyReply,
  content: string | Buffer | undefined,
  type: string,
): void {
  if (content === undefined) throw new AppError('not_found');
  const etag = `"${createHash('sha256').update(content).digest('base64url').slice(0, 22)}"`;
  reply.headers({ 'Cache-Control': 'no-cache', ETag: etag });
  if (request.headers['if-none-match'] === etag) void reply.status(304).send();
  else void reply.type(type).send(content);
}
