import { Module } from '@nestjs/common';
import { QuotasRepository } from './quotas.repository.js';
import { QuotasService } from './quotas.service.js';

@Module({ providers: [QuotasRepository, QuotasService], exports: [QuotasRepository, QuotasService] })
export class QuotasModule {}
