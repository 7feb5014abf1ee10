import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from './event-types.js';

export class EventTypeDto {
  @ApiProperty({ enum: EVENT_TYPES })
  type: EventType;

  @ApiProperty({ type: 'string' })
  description: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The type it is sent together with; null for one that stands by itself.',
  })
  aliasOf: EventType | null;

  @ApiProperty({
    type: 'object',
    additionalProperties: true,
    description: 'JSON Schema (2020-12) of the body.',
  })
  schema: Readonly<Record<string, unknown>>;

  @ApiProperty({ type: 'object', additionalProperties: true, description: 'A body.' })
  example: Readonly<Record<string, unknown>>;
}

export class EventTypeListDto {
  @ApiProperty({ type: [EventTypeDto] })
  data: EventTypeDto[];
}
