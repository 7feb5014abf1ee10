import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import { IsMetadata } from '../../common/validation/metadata.validator.js';
import { IsNullable, IsOmittable } from '../../common/validation/omittable.decorator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';
import { IsPlainText } from '../../common/validation/text.validator.js';
import { MAX_DESCRIPTION_CHARACTERS } from './create-endpoint.dto.js';
import { EVERY_EVENT_ALONE, IsEventChoice } from '../events/event-choice.validator.js';
import { ANY_EVENT_TYPES, EVERY_EVENT, type EventChoice } from '../events/event-types.js';

@OptionalBody()
export class UpdateEndpointDto {
  @ApiPropertyOptional({ type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2048 })
  @IsOmittable()
  @IsString()
  url?: string;

  @ApiPropertyOptional({
    type: [String],
    enum: [EVERY_EVENT, ...ANY_EVENT_TYPES],
    isArray: true,
    minItems: 1,
    uniqueItems: true,
    ...EVERY_EVENT_ALONE,
  })
  @IsOmittable()
  @IsEventChoice()
  events?: EventChoice[];

  @ApiPropertyOptional({ type: 'string', nullable: true, maxLength: MAX_DESCRIPTION_CHARACTERS })
  @IsNullable()
  @IsPlainText(MAX_DESCRIPTION_CHARACTERS)
  description?: string | null;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: 20,
    description: 'Replaces all of it.',
  })
  @IsOmittable()
  @IsMetadata()
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    type: 'boolean',
    description:
      '`false`: it gets nothing, and what waited for it has failed. `true`: it gets what happens from now on; `recover` sends what it missed.',
  })
  @IsOmittable()
  @IsBoolean()
  enabled?: boolean;
}
