import { Controller, Get, HttpCode, Inject, Post, Req, Res, StreamableFile } from '@nestjs/common';
import { RouteConfig } from '@nestjs/platform-fastify';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { invalidRequest } from '../../common/validation/validation.pipe.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { AppError } from '../../kernel/app-error.js';
import type { Principal } from '../../kernel/principal.js';
import { missingFile, receiveForm } from '../../uploads/receiving/multipart-form.js';
import { UrlFetch } from '../../uploads/receiving/url-fetch.js';
import { BackgroundRemoval, type ReadOrder } from '../background-removal.js';
import { EphemeralJobs } from '../ephemeral-jobs.js';
import { rembgOutput } from './rembg-parameters.js';

const FRAMING_BYTES = 64 * 1024;
const FORM = { fileField: 'file', maxFields: 40, maxFieldBytes: 16 * 1024 };

type Parameters = readonly (readonly [string, string])[];

/** The API of rembg's server (`rembg s`), for existing clients: see docs/compatibility.md. */
@ApiExcludeController()
@Controller('api/remove')
export class RembgController {
  constructor(
    private readonly removal: BackgroundRemoval,
    private readonly ephemeral: EphemeralJobs,
    private readonly urls: UrlFetch,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get()
  @RouteConfig({ hasHead: false })
  @AnyScope('image:write', 'ai:enhance')
  async fromUrl(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    if (request.method === 'HEAD') throw withoutHead(reply);
    const parameters = queryOf(request);
    const url = parameters.find(([name]) => name === 'url')?.[1];
    if (url === undefined)
      throw invalidRequest([{ field: 'url', code: 'required', message: 'url is required.' }]);
    const output = rembgOutput(parameters);
    this.urls.check(url, 'url');
    return this.answer(principal, reply, async (write, gone) => ({
      output,
      file: await this.urls.receive(url, 'url', gone, write),
    }));
  }

  @Post()
  @HttpCode(200)
  @AnyScope('image:write', 'ai:enhance')
  fromFile(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    const limits = {
      maxBytes: this.config.uploadMaxBytes,
      maxFramingBytes: FRAMING_BYTES,
      idleTimeoutMs: this.config.uploadIdleTimeoutMs,
      minProgressBytes: this.config.uploadMinProgressBytes,
    };
    return this.answer(principal, reply, async (write) => {
      const { file, fields } = await receiveForm(request.raw, limits, FORM, write);
      if (file === undefined) throw missingFile(FORM);
      return { output: rembgOutput([...queryOf(request), ...fields]), file };
    });
  }

  private async answer(principal: Principal, reply: FastifyReply, read: ReadOrder): Promise<StreamableFile> {
    reply.request.isHeld = true;
    const job = await this.removal.run(principal, reply.raw, read);
    const { stream, sizeBytes } = await this.ephemeral.open(principal.accountId, job, reply.raw);
    return new StreamableFile(stream, { type: 'image/png', length: sizeBytes });
  }
}

/** A response to HEAD would cost an enhancement and deliver nothing. */
function withoutHead(reply: FastifyReply): AppError {
  void reply.header('Allow', 'GET, POST');
  return new AppError('method_not_allowed', {
    detail: 'This route does not accept HEAD. Use GET or POST: each request enhances an image.',
  });
}

function queryOf({ query }: FastifyRequest): Parameters {
  return Object.entries(query as Record<string, unknown>).map(([name, value]) => [name, String(value)]);
}
