import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsString } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';
import { OptionalBody } from '../../common/validation/optional-body.decorator.js';
import type { EventChoice } from '../events/event-types.js';
import { IsEndpointDescription, IsEndpointEvents, IsEndpointMetadata } from './endpoint-fields.decorator.js';

@OptionalBody()
export class UpdateEndpointDto {
  @ApiPropertyOptional({ type: 'string', format: 'uri', pattern: '^https?://', maxLength: 2048 })
  @IsOmittable()
  @IsString()
  url?: string;

  @IsEndpointEvents()
  events?: EventChoice[];

  @IsEndpointDescription()
  description?: string | null;

  @IsEndpointMetadata('Replaces all of it.')
  metadata?: Record<string, string>;

  @ApiPropertyOptional({
    type: 'boolean',
    description:
      '`false`: the endpoint receives no events, and its pending deliveries fail. `true`: it receives events from now on; `recover` sends the ones that it missed.',
  })
  @IsOmittable()
  @IsBoolean()
  enabled?: boolean;
}
