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
      'The event types that it receives. `["*"]`: all current and future types, including aliases, except types that are reserved for operators.',
  })
  events?: EventChoice[];

  @IsEndpointDescription()
  description?: string | null;

  @IsEndpointMetadata('At most 20 key-value pairs of strings, returned with the endpoint.')
  metadata?: Record<string, string>;
}
