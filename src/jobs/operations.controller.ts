import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../common/access.decorator.js';
import { KEY_PROBLEMS, Problems } from '../common/problems.decorator.js';
import { OfferedOperations } from '../serving/offered-operations.js';
import { OperationListDto } from './operation.dto.js';

@ApiTags('Jobs')
@Controller('api/ai/operations')
export class OperationsController {
  constructor(private readonly offered: OfferedOperations) {}

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'Operations on offer, and the models that serve them',
    operationId: 'listOperations',
  })
  @ApiOkResponse({ type: OperationListDto })
  @Problems(...KEY_PROBLEMS)
  list(): OperationListDto {
    return { data: this.offered.operations() };
  }
}
