import { AccountEntity } from '../../auth/account.entity.js';
import { ApiKeyEntity } from '../../auth/api-key.entity.js';
import { JobEntity } from '../../jobs/job.entity.js';
import { SourceEntity } from '../../uploads/source.entity.js';
import { EventEntity } from '../../webhooks/event.entity.js';

/** Every table that TypeORM knows. */
export const ENTITIES = [AccountEntity, ApiKeyEntity, SourceEntity, JobEntity, EventEntity];
