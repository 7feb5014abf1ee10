import { ApiProperty } from '@nestjs/swagger';
import { CanaryDto } from './canary.dto.js';
import { ShadowDto } from './shadow.dto.js';

/**
 * `serving`: a worker gives it to new jobs. `canary`: to a share of them. `shadow`: finished jobs are run on it once
 * more. `loaded`: only for jobs assigned to it. `refused`: by a worker.
 * `idle`: in the model repository, and in no worker.
 */
export const VERSION_STATES = ['serving', 'canary', 'shadow', 'loaded', 'refused', 'idle'] as const;
export type VersionState = (typeof VERSION_STATES)[number];

export class ConsoleVersionDto {
  @ApiProperty({ type: 'string', description: 'Name of its folder, a whole number.', example: '2' })
  version: string;

  @ApiProperty({
    enum: VERSION_STATES,
    description:
      '`serving`: new jobs get it. `canary`: a share of new jobs gets it. `shadow`: finished jobs are run on it once more. `loaded`: only jobs assigned to it run on it. `refused`: by at least one worker. `idle`: in no worker.',
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

  @ApiProperty({
    type: 'boolean',
    description: 'Whether it can be chosen to serve: a running worker has it.',
  })
  canServe: boolean;

  @ApiProperty({ type: [String], description: 'Ids of the running workers that have loaded it.' })
  workers: readonly string[];

  @ApiProperty({ type: [String], description: 'Why workers refuse it, each reason once.' })
  reasons: readonly string[];
}

/**
 * `served`: new jobs get the chosen version. `pending`: workers have it, and will take it over. `refused`: a worker
 * refuses it. `missing`: no worker has it.
 */
export const CHOICE_STATES = ['served', 'pending', 'refused', 'missing'] as const;
export type ChoiceState = (typeof CHOICE_STATES)[number];

const VERSION_OR_NULL = { type: 'integer', nullable: true } as const;

export class ConsoleOperationDto {
  @ApiProperty({ type: 'string', example: 'upscale' })
  operation: string;

  @ApiProperty({ ...VERSION_OR_NULL, description: 'The version that new jobs get.' })
  offered: number | null;

  @ApiProperty({
    ...VERSION_OR_NULL,
    description: 'The version that an operator chose. Null: the highest valid one serves.',
  })
  chosen: number | null;

  @ApiProperty({
    enum: CHOICE_STATES,
    nullable: true,
    description:
      '`served`: new jobs get the chosen version. `pending`: a worker with it will take over. `refused`, `missing`: the version that served before serves instead, or the highest valid one.',
  })
  choiceState: ChoiceState | null;

  @ApiProperty({
    ...VERSION_OR_NULL,
    description:
      'A lower version that a running worker has: the one that served before, or else the next lower one.',
  })
  rollBackTo: number | null;

  @ApiProperty({ type: CanaryDto, nullable: true })
  canary: CanaryDto | null;

  @ApiProperty({ type: ShadowDto, nullable: true })
  shadow: ShadowDto | null;

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
