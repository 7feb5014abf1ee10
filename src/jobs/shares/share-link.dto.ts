import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsString, Matches } from 'class-validator';
import { IsOmittable } from '../../common/validation/omittable.decorator.js';

/** Seconds: an hour, a day, seven days. */
export const SHARE_LIFETIMES = [3_600, 86_400, 604_800] as const;
export type ShareLifetime = (typeof SHARE_LIFETIMES)[number];

const JOB_ID = /^job_[0-9a-f]{32}$/;
const JOB_ID_MESSAGE = {
  message: 'jobId must be the id of a job, for example job_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f',
};

export class CreateShareLinkDto {
  @ApiProperty({ type: 'string', description: 'A completed job whose result is still stored.' })
  @IsString()
  @Matches(JOB_ID, JOB_ID_MESSAGE)
  jobId: string;

  @ApiProperty({
    enum: SHARE_LIFETIMES,
    type: 'integer',
    description: 'Seconds. The link expires earlier if the result does.',
  })
  @IsIn(SHARE_LIFETIMES, { message: `expiresIn must be one of ${SHARE_LIFETIMES.join(', ')}` })
  expiresIn: ShareLifetime;

  @ApiPropertyOptional({
    type: 'boolean',
    description: 'Whether the page may also show the source, as it was uploaded. False if left out.',
  })
  @IsOmittable()
  @IsBoolean()
  showsOriginal?: boolean;
}

export class ListShareLinksQueryDto {
  @ApiPropertyOptional({ type: 'string', description: 'Only links to the result of this job.' })
  @IsOmittable()
  @Matches(JOB_ID, JOB_ID_MESSAGE)
  jobId?: string;
}

export class ShareLinkDto {
  @ApiProperty({ type: 'string', example: 'shr_0193f2c4a1b27c3d8e4f5a6b7c8d9e0f' })
  id: string;

  @ApiProperty({ type: 'string' })
  jobId: string;

  @ApiProperty({
    type: 'string',
    nullable: true,
    description: 'The file name of the photo; null for photos without one and for deleted photos.',
  })
  sourceName: string | null;

  @ApiProperty({ type: 'boolean', description: 'Whether the page may also show the source.' })
  showsOriginal: boolean;

  @ApiProperty({ type: 'string', format: 'date-time' })
  createdAt: string;

  @ApiProperty({ type: 'string', format: 'date-time' })
  expiresAt: string;
}

export class NewShareLinkDto extends ShareLinkDto {
  @ApiProperty({ type: 'string', format: 'uri', description: 'The link. It is returned only once.' })
  url: string;
}

export class ShareLinkListDto {
  @ApiProperty({ type: [ShareLinkDto] })
  data: ShareLinkDto[];
}
