import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsString } from 'class-validator';
import { EVERY_EVENT, type EventChoice } from '../events/event-types.js';
import { IsEndpointDescription, IsEndpointEvents, IsEndpointMetadata } from './endpoint-fields.decorator.js';

export class CreateEndpointDto {
  @ApiProperty({
    type: 'string',
    format: 'uri',
    pattern: '^https?://',
    maxLength: 2048,
    example: 'https://example.com/webhooks/images',
    description:
      'Where events are sent: `https`, reachable from the public internet, at most 2,048 characters.',
  })
  @IsDefined({ message: 'url is required' })
  @IsString()
  url: string;

  @IsEndpointEvents({
    default: [EVERY_EVENT],
    description:
      'Which events it gets. `["*"]`: every type there is or will be, aliases included, except those for operators: `plan.requested` and `plan.changed`.',
  })
  events?: EventChoice[];

  @IsEndpointDescription()
  description?: string | null;

  @IsEndpointMetadata('At most 20 pairs of text, given back with the endpoint.')
  metadata?: Record<string, string>;
}
