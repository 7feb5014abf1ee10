import { ApiProperty } from '@nestjs/swagger';
import { IsInt, Max, Min, ValidateIf } from 'class-validator';
import { MAX_VERSION, VERSION_FAULT } from './model-fields.decorator.js';

const FAULT = { message: `${VERSION_FAULT.message}, or null` };

export class ChooseVersionDto {
  @ApiProperty({
    type: 'integer',
    nullable: true,
    minimum: 1,
    maximum: MAX_VERSION,
    description: 'The version that is to serve. Null: the highest valid one.',
  })
  @ValidateIf((_, value) => value !== null)
  @IsInt(FAULT)
  @Min(1, FAULT)
  @Max(MAX_VERSION, FAULT)
  version: number | null;
}
