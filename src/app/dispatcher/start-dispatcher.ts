import type { LoggerService } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { RoleSettings } from '../../roles/role-settings.js';
import type { RunningRole } from '../role/run-role.js';
import { DispatcherModule } from './dispatcher.module.js';

export async function startDispatcher(settings: RoleSettings, logger: LoggerService): Promise<RunningRole> {
  const app = await NestFactory.createApplicationContext(DispatcherModule.for(settings), {
    logger,
    abortOnError: false,
  });
  return { app };
}
