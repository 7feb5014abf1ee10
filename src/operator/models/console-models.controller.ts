import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { ChooseVersionDto } from './choose-version.dto.js';
import { ConsoleModelsDto, ConsoleOperationDto, ReloadedDto } from './console-models.dto.js';
import { ModelConsole } from './model-console.js';
import { ServingControl } from './serving-control.js';

const OK = 200;

/** The models of all workers. */
@Controller('operator/api/models')
@OperatorOnly()
export class ConsoleModelsController {
  constructor(
    private readonly models: ModelConsole,
    private readonly serving: ServingControl,
  ) {}

  @Get()
  @ApiOkResponse({ type: ConsoleModelsDto })
  list(): Promise<ConsoleModelsDto> {
    return this.models.list();
  }

  /** Chooses the version that serves. Workers take it over like a new one. */
  @Put(':operation/serving')
  @ApiOkResponse({ type: ConsoleOperationDto })
  choose(
    @Param('operation') operation: string,
    @Body() { version }: ChooseVersionDto,
  ): Promise<ConsoleOperationDto> {
    return this.serving.choose(operation, version);
  }

  /** As `npm run models -- reload`: every worker looks at its models, and tries again what was refused. */
  @Post('reload')
  @HttpCode(OK)
  @ApiOkResponse({ type: ReloadedDto })
  reload(): Promise<ReloadedDto> {
    return this.models.reload();
  }
}
