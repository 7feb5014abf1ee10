import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { EnhancementStepDto } from '../creation/enhancement-step.dto.js';
import { OutputDto } from '../creation/output/output.dto.js';

const TIME = { type: 'string', format: 'date-time', nullable: true } as const;

export class PresetDto {
  @ApiProperty({ type: 'string', example: 'portrait' })
  name: string;

  @ApiProperty({ type: [EnhancementStepDto], description: 'Each on the result of the one before.' })
  operations: EnhancementStepDto[];

  @ApiPropertyOptional({ type: OutputDto, description: 'Absent if the preset has none.' })
  output?: OutputDto;

  @ApiProperty({ type: 'boolean', description: "Built-in presets can't be changed or deleted." })
  isBuiltIn: boolean;

  @ApiProperty({ ...TIME, description: 'Null for built-in presets.' })
  createdAt: string | null;

  @ApiProperty({ ...TIME, description: 'Null for built-in presets.' })
  updatedAt: string | null;
}

export class PresetListDto {
  @ApiProperty({
    type: [PresetDto],
    description: 'The built-in presets, then those of the account by name.',
  })
  presets: PresetDto[];
}
