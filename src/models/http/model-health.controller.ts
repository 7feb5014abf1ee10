import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { Public } from '../../common/access/access.decorator.js';
import { ModelHealthDto } from '../serving/model-health.dto.js';
import { AvailableOperations } from '../serving/available-operations.js';

@ApiTags('Health')
@Controller('health/models')
@Public()
export class ModelHealthController {
  constructor(private readonly offered: AvailableOperations) {}

  @Get()
  @ApiOperation({
    summary: 'The models in service, the versions that are refused and why, and the workers that serve',
    operationId: 'healthModels',
    description: 'For people and monitoring: `status` is `degraded` when something needs attention.',
  })
  @ApiOkResponse({ type: ModelHealthDto })
  models(): ModelHealthDto {
    return this.offered.health();
  }
}
