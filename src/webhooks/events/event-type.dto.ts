import { ApiProperty } from '@nestjs/swagger';
import { ANY_EVENT_TYPES, type AnyEventType } from './event-types.js';

export class EventTypeDto {
  @ApiProperty({ enum: ANY_EVENT_TYPES })
  type: AnyEventType;

  @ApiProperty({ type: 'string' })
  description: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The type that it is sent together with; null if the type is not an alias.',
  })
  aliasOf: AnyEventType | null;

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
