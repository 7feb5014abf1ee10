import { ApiProperty } from '@nestjs/swagger';
import { SETTING_SOURCES, type SettingSource } from '../../config/settings-in-force.js';

/** One setting as a process uses it. */
export class SettingDto {
  @ApiProperty({ type: 'string', description: 'The environment variable.', example: 'SIGNUP' })
  name: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'As it was written, or the default in words. Null for secrets.',
  })
  value: string | null;

  @ApiProperty({
    enum: SETTING_SOURCES,
    description: '`file`: the file that `<name>_FILE` names. `supervisor`: set by `npm start`.',
  })
  source: SettingSource;

  @ApiProperty({ type: 'boolean', description: 'A password or key: only its source is shown.' })
  isSecret: boolean;
}

export class DescribedSettingDto extends SettingDto {
  @ApiProperty({ type: 'string', description: 'Markdown.' })
  description: string;
}

export class SettingsDto {
  @ApiProperty({
    type: [DescribedSettingDto],
    description: 'Settings of the api process that responds, in the order of docs/configuration.md.',
  })
  data: readonly DescribedSettingDto[];

  @ApiProperty({ type: [String], description: 'Unknown variables that look like misspelled ones.' })
  warnings: readonly string[];
}
