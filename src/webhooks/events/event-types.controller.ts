import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiTags } from '@nestjs/swagger';
import { AnyScope } from '../../common/access/access.decorator.js';
import { KEY_PROBLEMS, Problems } from '../../common/problems/problems.decorator.js';
import { EVENT_CATALOG } from './schemas/event-catalog.js';
import { EventTypeListDto } from './event-type.dto.js';

@ApiTags('Webhooks')
@Controller('api/webhooks/events')
export class EventTypesController {
  @Get()
  @AnyScope('webhook:manage')
  @ApiOperation({
    summary: 'Every event type, with the JSON Schema of its body and an example',
    operationId: 'listEventTypes',
    description: 'From the same catalog as the `webhooks` of this document.',
  })
  @ApiOkResponse({ type: EventTypeListDto })
  @Problems(...KEY_PROBLEMS)
  list(): EventTypeListDto {
    return { data: [...EVENT_CATALOG] };
  }
}
