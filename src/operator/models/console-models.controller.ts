import { Controller, Get, HttpCode, Post } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { ConsoleModelsDto, ReloadedDto } from './console-models.dto.js';
import { ModelConsole } from './model-console.js';

const OK = 200;

/** The models of all workers. */
@Controller('operator/api/models')
@OperatorOnly()
export class ConsoleModelsController {
  constructor(private readonly models: ModelConsole) {}

  @Get()
  @ApiOkResponse({ type: ConsoleModelsDto })
  list(): Promise<ConsoleModelsDto> {
    return this.models.list();
  }

  /** As `npm run models -- reload`: every worker looks at its models, and tries again what was refused. */
  @Post('reload')
  @HttpCode(OK)
  @ApiOkResponse({ type: ReloadedDto })
  reload(): Promise<ReloadedDto> {
    return this.models.reload();
  }
}
