import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import type { CatalogOperation } from '../repository/described-versions.js';
import { RequiresPermission } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { OperationListDto } from '../../jobs/operations/operation.dto.js';
import type { Principal } from '../../kernel/principal.js';
import { AvailableOperations } from '../serving/available-operations.js';
import { ModelCards } from './model-cards.js';
import { type BatchSummaryDto, type ModelDto, ModelListDto } from './model.dto.js';
import { RecentBatches } from './recent-batches.js';
import { type RecentJobs, RecentJobsRepository } from './recent-jobs.repository.js';

/** The model of each operation. Read-only: changes are up to the operator. */
@Controller('dashboard/api')
export class ModelsController {
  constructor(
    private readonly offered: AvailableOperations,
    private readonly cards: ModelCards,
    private readonly recentJobs: RecentJobsRepository,
    private readonly recentBatches: RecentBatches,
  ) {}

  @RequiresPermission('images:read')
  @Get('ai/operations')
  @ApiOkResponse({ type: OperationListDto })
  operations(@CurrentPrincipal() principal: Principal): OperationListDto {
    return { data: this.offered.operationsFor(principal) };
  }

  @RequiresPermission('images:read')
  @Get('models')
  @ApiOkResponse({ type: ModelListDto })
  async models(@CurrentPrincipal() principal: Principal): Promise<ModelListDto> {
    const { accountId } = principal;
    const offered = this.offered.operationsFor(principal);
    const recentOf = await this.recentJobs.of(
      accountId,
      offered.map(({ operation }) => operation),
    );
    const batchesOf = await this.recentBatches.read();
    const models = offered.map((one) =>
      this.describe(one, recentOf(one.operation), batchesOf(one.operation)),
    );
    return { data: await Promise.all(models) };
  }

  private async describe(
    offered: CatalogOperation,
    { lastAt, ...recent }: RecentJobs,
    lastBatches: readonly BatchSummaryDto[],
  ): Promise<ModelDto> {
    const card = await this.cards.cardOf(offered.operation, offered.model.version);
    return { ...offered, ...card, recent: { ...recent, lastAt: lastAt?.toISOString() ?? null }, lastBatches };
  }
}
