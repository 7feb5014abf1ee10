import { Controller, HttpCode, Post, Req, Res, StreamableFile, UseFilters } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { FastifyReply, FastifyRequest } from '../../common/requests/request-context.js';
import { IMAGE_CONTENT_TYPES } from '../../kernel/operations.js';
import type { Principal } from '../../kernel/principal.js';
import { BackgroundRemoval } from '../background-removal.js';
import { EphemeralJobs } from '../ephemeral-jobs.js';
import { base64Answer } from './base64-answer.js';
import { RemoveBgRequests } from './removebg-request.js';
import { RemoveBgFilter } from './removebg.filter.js';

/** The API of remove.bg, for existing clients: see docs/compatibility.md. */
@ApiExcludeController()
@Controller('v1.0/removebg')
@UseFilters(RemoveBgFilter)
export class RemoveBgController {
  constructor(
    private readonly removal: BackgroundRemoval,
    private readonly ephemeral: EphemeralJobs,
    private readonly requests: RemoveBgRequests,
  ) {}

  @Post()
  @HttpCode(200)
  @AnyScope('image:write', 'ai:enhance')
  async remove(
    @CurrentPrincipal() principal: Principal,
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<StreamableFile> {
    request.isHeld = true;
    const job = await this.removal.run(principal, reply.raw, (write, gone) =>
      this.requests.read(principal, request, write, gone),
    );
    const picture = await this.ephemeral.open(principal.accountId, job, reply.raw);
    const { format, width, height } = job.result!;
    reply.headers({
      'X-Credits-Charged': '1',
      'X-Type': 'other',
      'X-Width': String(width),
      'X-Height': String(height),
    });
    // remove.bg returns JSON only if the `Accept` header names it.
    if (/\bapplication\/json\b/i.test(request.headers.accept ?? '')) return base64Answer(picture);
    return new StreamableFile(picture.stream, {
      type: IMAGE_CONTENT_TYPES[format],
      length: picture.sizeBytes,
    });
  }
}
