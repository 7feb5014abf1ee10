import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { CurrentPrincipal } from '../../common/access/principal.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import { Database } from '../../infra/database/database.js';
import type { Principal } from '../../kernel/principal.js';
import { choosableEvents } from './choosable-events.js';
import { EventTypeListDto } from './event-type.dto.js';

@ApiTags('Webhooks')
@Controller('api/webhooks/events')
export class EventTypesController {
  constructor(private readonly database: Database) {}

  @Get()
  @AnyScope('webhook:manage')
  @ApiOperation({
    summary: 'Every event type, with the JSON Schema of its body and an example',
    operationId: 'listEventTypes',
    description: 'From the same catalog as the `webhooks` of this document.',
  })
  @ApiOkResponse({ type: EventTypeListDto })
  @Problems(...KEY_PROBLEMS)
  list(@CurrentPrincipal() { accountId }: Principal): Promise<EventTypeListDto> {
    return choosableEvents(this.database, accountId);
  }
}
