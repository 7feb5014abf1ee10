import { Controller, Get, Inject } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import { Problems } from '../../common/problems/problems.decorator.js';
import type { Config } from '../../config/env.js';
import { CONFIG } from '../../config/tokens.js';
import { Database } from '../../infra/database/database.js';
import { ObjectStore } from '../../infra/storage/object-store.js';
import { AppError } from '../../kernel/app-error.js';
import { within } from '../../kernel/concurrency/within.js';
import { Shutdown } from './shutdown.js';

const PROBE_TIMEOUT_MS = 2_000;
const RETRY_AFTER_SECONDS = 5;

type Outcome = 'ok' | 'full' | 'unavailable';

const STATUS = { type: 'string', enum: ['ok'] };
const CHECKS = { type: 'object', additionalProperties: { type: 'string', enum: ['ok', 'full'] } };
const FREE_BYTES = { type: 'integer', description: 'With `storage: full`: free space for files.' };

interface Ready {
  readonly status: 'ok';
  readonly checks: Readonly<Record<string, Outcome>>;
  readonly freeBytes?: number | undefined;
}

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
      'For readiness probes and load balancers. 503 says which check failed, and `Retry-After` when to ask again. ' +
      'With full storage, the answer is 200 with `storage: full`: only uploads are refused.',
  })
  @ApiOkResponse({
    schema: {
      type: 'object',
      required: ['status', 'checks'],
      properties: { status: STATUS, checks: CHECKS, freeBytes: FREE_BYTES },
    },
  })
  @Problems('service_unavailable')
  async ready(): Promise<Ready> {
    if (this.shutdown.hasBegun) throw notReady('The process is shutting down.');
    const [database, space] = await Promise.all([
      answerOf(this.database.query('SELECT 1')),
      answerOf(this.freeBytes()),
    ]);
    const { value: freeBytes } = space;
    const storage = storageOutcome(freeBytes, this.config.diskReserveBytes);
    const checks = { database: database.value === undefined ? 'unavailable' : 'ok', storage } as const;
    if (checks.database === 'ok' && storage === 'ok') return { status: 'ok', checks };
    // Downloads and deletions work on a full disk, and deletions free it.
    if (checks.database === 'ok' && storage === 'full') return { status: 'ok', checks, freeBytes };
    const detail = `Not ready: database ${checks.database}, storage ${storage}.`;
    const causes = [database.fault, space.fault].filter((fault) => fault !== undefined);
    const extensions = { checks, storage, freeBytes: freeBytes ?? 0 };
    throw notReady(detail, extensions, [detail, ...causes].join(' '));
  }

  private async freeBytes(): Promise<number> {
    await this.store.check();
    return this.store.freeBytes();
  }
}

/** @param internal what the log says; default: `detail` */
function notReady(
  detail: string,
  extensions: Readonly<Record<string, unknown>> = {},
  internal = detail,
): AppError {
  return new AppError('service_unavailable', {
    detail,
    internal,
    extensions,
    retryAfterSeconds: RETRY_AFTER_SECONDS,
  });
}

function storageOutcome(freeBytes: number | undefined, reserveBytes: number): Outcome {
  if (freeBytes === undefined) return 'unavailable';
  return freeBytes < reserveBytes ? 'full' : 'ok';
}

interface Answer<T> {
  readonly value?: T;
  /** Why there is no value. */
  readonly fault?: string;
}

/** What the probe resolves to, or why it does not. */
async function answerOf<T>(probe: Promise<T>): Promise<Answer<T>> {
  try {
    return { value: await within(PROBE_TIMEOUT_MS, probe) };
  } catch (error) {
    return { fault: String(error) };
  }
}
