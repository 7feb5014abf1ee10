import { ApiProperty } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsDefined, IsInt, IsString, MaxLength } from 'class-validator';
import { ACCOUNT_ROWS, ENDPOINT_ROWS, USER_ROWS } from './exported-rows.js';

/** The parts of a link that the service made. */
export class ExportLinkQueryDto {
  @ApiProperty({ type: 'integer' })
  @IsDefined({ message: 'expires is required' })
  @IsInt()
  @Type(() => Number)
  expires: number;

  @ApiProperty({ type: 'string' })
  @IsDefined({ message: 'signature is required' })
  @IsString()
  @MaxLength(100)
  signature: string;
}

export class ExportLinkDto {
  @ApiProperty({
    type: 'string',
    description: 'Path of the file. It works for five minutes, in this session.',
  })
  path: string;
}

const LISTS = [...USER_ROWS, ENDPOINT_ROWS, ...ACCOUNT_ROWS].map(({ name }) => name);
const NAMES = ['exportedAt', 'notIncluded', 'account', ...LISTS, 'usage', 'auditEvents'];

/** The file. Its lists are for people, and have no types. */
export const EXPORT_SCHEMA = {
  type: 'object',
  properties: Object.fromEntries(NAMES.map((name) => [name, {}])),
};
