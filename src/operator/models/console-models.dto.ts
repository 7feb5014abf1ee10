import { ApiProperty } from '@nestjs/swagger';

/**
 * `serving`: a worker gives it to new jobs. `loaded`: only for jobs that were promised it. `refused`: by a worker.
 * `idle`: in the model repository, and in no worker.
 */
export const VERSION_STATES = ['serving', 'loaded', 'refused', 'idle'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

export class ConsoleVersionDto {
  @ApiProperty({ type: 'string', description: 'Name of its folder, a whole number.', example: '2' })
  version: string;

  @ApiProperty({
    enum: VERSION_STATES,
    description:
      '`serving`: new jobs get it. `loaded`: only jobs that were promised it. `refused`: by at least one worker. `idle`: in no worker.',
  })
  state: VersionState;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'Name of the model; null while no worker serves it.',
  })
  model: string | null;

  @ApiProperty({ type: 'string', nullable: true, description: 'Hash of its files.' })
  sha256: string | null;

  @ApiProperty({ type: [String], description: 'Ids of the living workers that have loaded it.' })
  workers: readonly string[];

  @ApiProperty({ type: [String], description: 'Why workers refuse it, each reason once.' })
  reasons: readonly string[];
}

export class ConsoleOperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ type: 'integer', nullable: true, description: 'The version that new jobs are promised.' })
  offered: number | null;

  @ApiProperty({ type: [ConsoleVersionDto], description: 'The highest version first.' })
  versions: readonly ConsoleVersionDto[];
}

export class ConsoleModelsDto {
  @ApiProperty({ type: [ConsoleOperationDto], description: 'By name.' })
  data: readonly ConsoleOperationDto[];
}

export class ReloadedDto {
  @ApiProperty({ type: 'integer', description: 'Living workers, which look at their models now.' })
  workers: number;
}
