import { Body, Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import { ApiNoContentResponse, ApiOkResponse } from '@nestjs/swagger';
import type { Session } from '../../auth/sessions/session.js';
import { CurrentSession } from '../../auth/sessions/session.decorator.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import {
  CreatePlanRequestDto,
  LatestPlanRequestDto,
  planRequestDto,
  PlanRequestDto,
} from './plan-request.dto.js';
import { PlanRequestsService } from './plan-requests.service.js';

/** Requests of the current organization for another plan. */
@Controller('dashboard/api/plan-requests')
export class PlanRequestsController {
  constructor(private readonly requests: PlanRequestsService) {}

  @RequiresPermission('usage:read')
  @Get('latest')
  @ApiOkResponse({ type: LatestPlanRequestDto })
  async latest(@CurrentSession() session: Session): Promise<LatestPlanRequestDto> {
    const request = await this.requests.latest(session);
    return { request: request === undefined ? null : planRequestDto(request) };
  }

  @RequiresPermission('plan:request')
  @Post()
  @HttpCode(200)
  @ApiOkResponse({ type: PlanRequestDto })
  async create(
    @CurrentSession() session: Session,
    @Body() { plan, note }: CreatePlanRequestDto,
  ): Promise<PlanRequestDto> {
    return planRequestDto(await this.requests.create(session, plan, note || null));
  }

  @RequiresPermission('plan:request')
  @Post(':id/cancel')
  @HttpCode(204)
  @ApiNoContentResponse()
  cancel(@CurrentSession() session: Session, @Param('id') id: string): Promise<void> {
    return this.requests.cancel(session, id);
  }
}
