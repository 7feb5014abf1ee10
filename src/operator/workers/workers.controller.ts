import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { WorkerConsole } from './worker-console.js';
import { WorkerDto, WorkerListDto, WorkerLogDto, WorkerLogQueryDto } from './worker.dto.js';

const OK = 200;

/** The worker processes. */
@Controller('operator/api/workers')
@OperatorOnly()
export class WorkersController {
  constructor(private readonly workers: WorkerConsole) {}

  @Get()
  @ApiOkResponse({ type: WorkerListDto })
  async list(): Promise<WorkerListDto> {
    return { data: await this.workers.list() };
  }

  /** It finishes its jobs and takes no others, until it is resumed or ends. */
  @Post(':id/drain')
  @HttpCode(OK)
  @ApiOkResponse({ type: WorkerDto })
  drain(@Param('id') id: string): Promise<WorkerDto> {
    return this.workers.want(id, 'drain');
  }

  /** A drained worker takes jobs again. */
  @Post(':id/resume')
  @HttpCode(OK)
  @ApiOkResponse({ type: WorkerDto })
  resume(@Param('id') id: string): Promise<WorkerDto> {
    return this.workers.want(id, 'serve');
  }

  /** It drains and ends. Its supervisor starts another one. */
  @Post(':id/restart')
  @HttpCode(OK)
  @ApiOkResponse({ type: WorkerDto })
  restart(@Param('id') id: string): Promise<WorkerDto> {
    return this.workers.want(id, 'restart');
  }

  /** The last lines of its log. */
  @Get(':id/log')
  @ApiOkResponse({ type: WorkerLogDto })
  log(@Param('id') id: string, @Query() { lines }: WorkerLogQueryDto): Promise<WorkerLogDto> {
    return this.workers.log(id, lines);
  }
}
