import { Controller, Get, Param, Req, Res, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { type StoredFile, streamFile } from '../../uploads/files/file-answer.js';
import { SharePageFilter } from './share-page.filter.js';
import { SHARE_PAGE_HEADERS, sharePage, sharePageWithout } from './share-page.js';
import { sharePageTexts } from './share-page-texts.js';
import { type SharedResult, SharedResults } from './shared-results.js';

/** Revalidated each time, so that a revoked link shows nothing. */
const FILE_CACHE_CONTROL = 'private, no-cache';

/**
 * What a link shows to people without an account. The files are never redirected to the object store, whose URLs would
 * outlast a revoked link.
 */
@ApiExcludeController()
@Controller('share')
@Public()
export class SharePagesController {
  constructor(
    private readonly results: SharedResults,
    private readonly store: ObjectStore,
  ) {}

  @Get(':token')
  @UseFilters(SharePageFilter)
  async page(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    const shared = await this.find(token, request, reply);
    if (shared === undefined) return;
    const texts = sharePageTexts(request.headers['accept-language']);
    sendPage(reply, 200, sharePage(shared, token, texts));
  }

  @Get(':token/photo')
  photo(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(token, request, reply, ({ file }) => file);
  }

  @Get(':token/download')
  download(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(token, request, reply, ({ file, saveAs }) => ({ ...file, saveAs }));
  }

  @Get(':token/original')
  original(
    @Param('token') token: string,
    @Req() request: FastifyRequest,
    @Res() reply: FastifyReply,
  ): Promise<void> {
    return this.send(token, request, reply, ({ original }) => original);
  }

  private async send(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
    pick: (shared: SharedResult) => StoredFile | null,
  ): Promise<void> {
    const shared = await this.find(token, request, reply);
    if (shared === undefined) return;
    const file = pick(shared);
    if (file === null) return sendWithout(request, reply, 'unknown');
    const { 'X-Robots-Tag': robots, 'Referrer-Policy': referrer } = SHARE_PAGE_HEADERS;
    reply.headers({ 'X-Robots-Tag': robots, 'Referrer-Policy': referrer });
    await streamFile(request, reply, file, this.store, FILE_CACHE_CONTROL);
  }

  /** Responds itself when the link shows nothing. */
  private async find(
    token: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<SharedResult | undefined> {
    const found = await this.results.find(token);
    if (typeof found !== 'string') return found;
    sendWithout(request, reply, found);
    return undefined;
  }
}

function sendWithout({ headers }: FastifyRequest, reply: FastifyReply, reason: 'unknown' | 'gone'): void {
  const texts = sharePageTexts(headers['accept-language']);
  sendPage(reply, reason === 'gone' ? 410 : 404, sharePageWithout(reason, texts));
}

function sendPage(reply: FastifyReply, status: number, html: string): void {
  void reply.status(status).headers(SHARE_PAGE_HEADERS).type('text/html; charset=utf-8').send(html);
}
