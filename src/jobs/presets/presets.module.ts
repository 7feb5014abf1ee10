import { Module } from '@nestjs/common';
import { JobsModule } from '../jobs.module.js';
import { PresetCheck } from './preset-check.js';
import { PresetsController } from './presets.controller.js';
import { SessionPresetsController } from './session-presets.controller.js';
import { PresetsService } from './presets.service.js';

/** Presets, in the api. What jobs need of them is in JobsModule. */
@Module({
  imports: [JobsModule],
  controllers: [PresetsController, SessionPresetsController],
  providers: [PresetCheck, PresetsService],
})
export class PresetsModule {}
