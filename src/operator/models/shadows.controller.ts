import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { AppError } from '../../kernel/app-error.js';
import { ConsoleOperationDto } from './console-models.dto.js';
import { SetShadowDto, ShadowFiguresDto, StopShadowDto } from './shadow.dto.js';
import { ShadowControl } from './shadow-control.js';
import { ShadowFigures } from './shadow-figures.js';

const OK = 200;

/** Versions that a share of the finished jobs is run on once more. */
@Controller('operator/api/models/:operation/shadow')
@OperatorOnly()
export class ShadowsController {
  constructor(
    private readonly shadows: ShadowControl,
    private readonly figures: ShadowFigures,
  ) {}

  /** How the results of the shadow differ from those of the version that serves, since it started. */
  @Get()
  @ApiOkResponse({ type: ShadowFiguresDto })
  async read(@Param('operation') operation: string): Promise<ShadowFiguresDto> {
    const found = await this.figures.read(operation);
    if (found !== undefined) return found;
    throw new AppError('not_found', { detail: `There is no shadow of "${operation}".` });
  }

  /** Starts a shadow, or changes its share. */
  @Put()
  @ApiOkResponse({ type: ConsoleOperationDto })
  set(
    @Param('operation') operation: string,
    @Body() { version, percent }: SetShadowDto,
  ): Promise<ConsoleOperationDto> {
    return this.shadows.set(operation, { version, percent });
  }

  /** No further job is compared. The figures are deleted. */
  @Post('stop')
  @HttpCode(OK)
  @ApiOkResponse({ type: ConsoleOperationDto })
  stop(
    @Param('operation') operation: string,
    @Body() { version }: StopShadowDto,
  ): Promise<ConsoleOperationDto> {
    return this.shadows.stop(operation, version);
  }
}
