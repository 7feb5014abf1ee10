import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsBoolean, IsIn, IsOptional } from 'class-validator';
import { type Language, LANGUAGES } from '../../mail/language.js';

/** What the user is told by email. Emails about the security of the account are always sent. */
export class NotificationSettingsDto {
  @ApiProperty({ enum: LANGUAGES, description: 'Language of the emails.' })
  language: Language;

  @ApiProperty({
    type: 'boolean',
    description: 'When 80% and 100% of a monthly quota are used: as an owner or billing contact.',
  })
  quota: boolean;

  @ApiProperty({
    type: 'boolean',
    description: 'When a webhook endpoint was disabled: as an owner, admin or developer.',
  })
  webhooks: boolean;
}

/** What is missing stays as it is. */
export class ChangeNotificationSettingsDto {
  @ApiPropertyOptional({ enum: LANGUAGES })
  @IsOptional()
  @IsIn(LANGUAGES, { message: `language must be one of ${LANGUAGES.join(', ')}` })
  language?: Language;

  @ApiPropertyOptional({ type: 'boolean' })
  @IsOptional()
  @IsBoolean()
  quota?: boolean;

  @ApiPropertyOptional({ type: 'boolean' })
  @IsOptional()
  @IsBoolean()
  webhooks?: boolean;
}
