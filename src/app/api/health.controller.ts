import { Controller, Get, HttpStatus, Res } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/access.decorator.js';
import { Problems } from '../../common/problems.decorator.js';
import type { FastifyReply } from '../../common/request-context.js';
import { Database } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';

const PROBE_TIMEOUT_MS = 2_000;

interface Health {
  readonly status: 'ok' | 'unavailable';
  readonly checks?: Readonly<Record<string, 'ok' | 'unavailable'>>;
}

@ApiTags('Health')
@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
  ) {}

  @Get('live')
  @ApiOperation({ summary: 'The process runs', operationId: 'healthLive' })
  @ApiOkResponse({ schema: { type: 'object', properties: { status: { type: 'string', enum: ['ok'] } } } })
  live(): Health {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'The service can take requests: database and storage answer',
    operationId: 'healthReady',
  })
  @ApiOkResponse({ description: 'Ready. 503 with the same body when something is away.' })
  @Problems('service_unavailable')
  async ready(@Res({ passthrough: true }) reply: FastifyReply): Promise<Health> {
    const [database, storage] = await Promise.all([
      answers(this.database.query('SELECT 1')),
      answers(this.store.check()),
    ]);
    const status = database === 'ok' && storage === 'ok' ? 'ok' : 'unavailable';
    if (status !== 'ok') reply.status(HttpStatus.SERVICE_UNAVAILABLE).header('Retry-After', '5');
    return { status, checks: { database, storage } };
  }
}

async function answers(probe: Promise<unknown>): Promise<'ok' | 'unavailable'> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<'unavailable'>((resolve) => {
    timer = setTimeout(() => resolve('unavailable'), PROBE_TIMEOUT_MS);
  });
  const result = await Promise.race([
    probe.then(
      () => 'ok' as const,
      () => 'unavailable' as const,
    ),
    late,
  ]);
  clearTimeout(timer);
  return result;
}
