import { Controller, Get } from '@nestjs/common';
import { ApiOkResponse } from '@nestjs/swagger';
import { OperatorOnly } from '../../common/access/access.decorator.js';
import { misspelledVariables } from '../../config/misspelled-variables.js';
import { describedSettings } from './described-settings.js';
import { SettingsDto } from './settings.dto.js';

/** The settings in force. Those of workers are in the list of workers. */
@Controller('operator/api/settings')
@OperatorOnly()
export class SettingsController {
  @Get()
  @ApiOkResponse({ type: SettingsDto })
  read(): SettingsDto {
    return { data: describedSettings(), warnings: misspelledVariables() };
  }
}
