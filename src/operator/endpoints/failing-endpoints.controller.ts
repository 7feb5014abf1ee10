import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import {
  type FailingEndpointDto,
  FailingEndpointListDto,
  FailingEndpointsQueryDto,
  SwitchedEndpointDto,
} from './failing-endpoint.dto.js';
import { FailingEndpoints } from './failing-endpoints.js';

/** Endpoints of all accounts whose deliveries fail. */
@Controller('operator/api/failing-endpoints')
@OperatorOnly()
export class FailingEndpointsController {
  constructor(private readonly endpoints: FailingEndpoints) {}

  @Get()
  @ApiOkResponse({ type: FailingEndpointListDto })
  list(@Query() query: FailingEndpointsQueryDto): Promise<Page<FailingEndpointDto>> {
    return this.endpoints.list(query);
  }

  @Post(':id/disable')
  @HttpCode(200)
  @ApiOkResponse({ type: SwitchedEndpointDto })
  async disable(@Param('id') id: string): Promise<SwitchedEndpointDto> {
    await this.endpoints.switch(id, false);
    return { id, enabled: false };
  }

  @Post(':id/enable')
  @HttpCode(200)
  @ApiOkResponse({ type: SwitchedEndpointDto })
  async enable(@Param('id') id: string): Promise<SwitchedEndpointDto> {
    await this.endpoints.switch(id, true);
    return { id, enabled: true };
  }
}
