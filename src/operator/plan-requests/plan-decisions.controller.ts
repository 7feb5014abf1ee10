import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { ListQueryDto } from '../../common/lists/list-query.dto.js';
import { agreedLimits } from '../accounts/agreed-limits.js';
import { PlanDecisions } from './plan-decisions.js';
import {
  ApprovePlanDto,
  consolePlanRequestDto,
  ConsolePlanRequestDto,
  ConsolePlanRequestListDto,
  DeclinePlanDto,
} from './plan-decisions.dto.js';

/** Open requests of all customers for another plan. */
@Controller('operator/api/plan-requests')
@OperatorOnly()
export class PlanDecisionsController {
  constructor(private readonly decisions: PlanDecisions) {}

  @Get()
  @ApiOkResponse({ type: ConsolePlanRequestListDto })
  async list(@Query() { limit, cursor }: ListQueryDto): Promise<ConsolePlanRequestListDto> {
    const { data, hasMore, nextCursor } = await this.decisions.list(limit, cursor);
    return { data: data.map(consolePlanRequestDto), hasMore, nextCursor };
  }

  @Post(':id/approve')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsolePlanRequestDto })
  async approve(@Param('id') id: string, @Body() { limits }: ApprovePlanDto): Promise<ConsolePlanRequestDto> {
    return consolePlanRequestDto(await this.decisions.approve(id, agreedLimits(limits)));
  }

  @Post(':id/decline')
  @HttpCode(200)
  @ApiOkResponse({ type: ConsolePlanRequestDto })
  async decline(@Param('id') id: string, @Body() { reason }: DeclinePlanDto): Promise<ConsolePlanRequestDto> {
    return consolePlanRequestDto(await this.decisions.decline(id, reason));
  }
}
