import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import { Problems } from '../../common/problems/problems.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import { Shutdown } from './shutdown.js';

const PROBE_TIMEOUT_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

type Outcome = 'ok' | 'full' | 'unavailable';

const STATUS = { type: 'string', enum: ['ok'] };
const CHECKS = { type: 'object', additionalProperties: STATUS };

@ApiTags('Health')
@Controller('health')
@Public()
export class HealthController {
  constructor(
    private readonly database: Database,
    private readonly store: ObjectStore,
    private readonly shutdown: Shutdown,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  @Get('live')
  @ApiOperation({
    summary: 'Liveness: the process is running',
    operationId: 'healthLive',
    description: 'For liveness probes. Checks nothing outside the process.',
  })
  @ApiOkResponse({ schema: { type: 'object', required: ['status'], properties: { status: STATUS } } })
  live(): { status: 'ok' } {
    return { status: 'ok' };
  }

  @Get('ready')
  @ApiOperation({
    summary: 'Readiness: the database and storage respond',
    operationId: 'healthReady',
    description:
      'For readiness probes and load balancers. 503 says which check failed, and `Retry-After` when to ask again.',
  })
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['status', 'checks'],
      properties: { status: STATUS, checks: CHECKS },
    },
  })
  @Problems('service_unavailable')
  async ready(): Promise<{ status: 'ok'; checks: Record<string, Outcome> }> {
    if (this.shutdown.hasBegun) throw notReady('The process is shutting down.');
    const [database, store, freeBytes] = await Promise.all([
      answers(this.database.query('SELECT 1')),
      answers(this.store.check()),
      this.store.freeBytes().catch(() => 0),
    ]);
    const isFull = store === 'ok' && freeBytes < this.config.diskReserveBytes;
    const storage: Outcome = isFull ? 'full' : store;
    const checks = { database, storage };
    if (database === 'ok' && storage === 'ok') return { status: 'ok', checks };
    const detail = `Not ready: database ${database}, storage ${storage}.`;
    throw notReady(detail, { checks, storage, freeBytes });
  }
}

function notReady(detail: string, extensions: Readonly<Record<string, unknown>> = {}): AppError {
  return new AppError('service_unavailable', {
    detail,
    extensions,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
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
