import { Body, Controller, Get, HttpCode, Param, Post, Put } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { AppError } from '../../kernel/app-error.js';
import { CanaryFiguresDto, EndCanaryDto, SetCanaryDto } from './canary.dto.js';
import { CanaryControl } from './canary-control.js';
import { CanaryFiguresRepository } from './canary-figures.repository.js';
import { ConsoleOperationDto } from './console-models.dto.js';

const OK = 200;

/** Versions that a share of new jobs gets. */
@Controller('operator/api/models/:operation/canary')
@OperatorOnly()
export class CanariesController {
  constructor(
    private readonly canaries: CanaryControl,
    private readonly figures: CanaryFiguresRepository,
  ) {}

  /** Jobs, failures and speed of the canary and of the version that serves, since the canary started. */
  @Get()
  @ApiOkResponse({ type: CanaryFiguresDto })
  async read(@Param('operation') operation: string): Promise<CanaryFiguresDto> {
    const found = await this.figures.read(operation);
    if (found !== undefined) return found;
    throw new AppError('not_found', { detail: `There is no canary of "${operation}".` });
  }

  /** Starts a canary, or changes its share. */
  @Put()
  @ApiOkResponse({ type: ConsoleOperationDto })
  set(
    @Param('operation') operation: string,
    @Body() { version, percent, by = 'account' }: SetCanaryDto,
  ): Promise<ConsoleOperationDto> {
    return this.canaries.set(operation, { version, percent, by });
  }

  /** The canary serves all new jobs. */
  @Post('promote')
  @HttpCode(OK)
  @ApiOkResponse({ type: ConsoleOperationDto })
  promote(
    @Param('operation') operation: string,
    @Body() { version }: EndCanaryDto,
  ): Promise<ConsoleOperationDto> {
    return this.canaries.promote(operation, version);
  }

  /** No new job gets the canary. */
  @Post('cancel')
  @HttpCode(OK)
  @ApiOkResponse({ type: ConsoleOperationDto })
  cancel(
    @Param('operation') operation: string,
    @Body() { version }: EndCanaryDto,
  ): Promise<ConsoleOperationDto> {
    return this.canaries.cancel(operation, version);
  }
}
