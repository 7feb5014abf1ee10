import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import type { Principal } from '../../kernel/principal.js';
import { operationsInMode } from '../test-mode/test-operations.js';
import { AvailableOperations } from '../../models/serving/available-operations.js';
import { OperationListDto } from './operation.dto.js';

@ApiTags('Jobs')
@Controller('api/ai/operations')
export class OperationsController {
  constructor(private readonly offered: AvailableOperations) {}

  @Get()
  @AnyScope('image:read', 'ai:enhance')
  @ApiOperation({
    summary: 'List operations and their models',
    operationId: 'listOperations',
    description: 'The models of each operation with their levels and the factor by which each enlarges.',
  })
  @ApiOkResponse({ type: OperationListDto })
  @Problems(...KEY_PROBLEMS)
  list(@CurrentPrincipal() principal: Principal): OperationListDto {
    return { data: operationsInMode(principal.accountId, this.offered.operationsFor(principal)) };
  }
}
