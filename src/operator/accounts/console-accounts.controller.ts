import { Controller, Get, Param, Query } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import type { Page } from '../../common/lists/pagination.js';
import { ConsoleAccountsQueryDto } from './account-requests.dto.js';
import {
  ConsoleAccountDetailDto,
  type ConsoleAccountDto,
  ConsoleAccountListDto,
} from './console-account.dto.js';
import { ConsoleAccounts } from './console-accounts.js';

/** Accounts of all customers. */
@Controller('operator/api/accounts')
@OperatorOnly()
export class ConsoleAccountsController {
  constructor(private readonly accounts: ConsoleAccounts) {}

  @Get()
  @ApiOkResponse({ type: ConsoleAccountListDto })
  list(@Query() query: ConsoleAccountsQueryDto): Promise<Page<ConsoleAccountDto>> {
    return this.accounts.list(query);
  }

  @Get(':id')
  @ApiOkResponse({ type: ConsoleAccountDetailDto })
  get(@Param('id') id: string): Promise<ConsoleAccountDetailDto> {
    return this.accounts.get(id);
  }
}
