import { AccountEntity } from '../../auth/account.entity.js';
import { ApiKeyEntity } from '../../auth/api-key.entity.js';
import { JobEntity } from '../../jobs/job.entity.js';
import { ModelWorkerEntity } from '../../serving/model-worker.entity.js';
import { SourceEntity } from '../../uploads/source.entity.js';
import { AttemptEntity } from '../../webhooks/attempt.entity.js';
import { DeliveryEntity } from '../../webhooks/delivery.entity.js';
import { EndpointEntity } from '../../webhooks/endpoint.entity.js';
import { EventEntity } from '../../webhooks/event.entity.js';

/** Every table that TypeORM knows. */
export const ENTITIES = [
  AccountEntity,
  ApiKeyEntity,
  SourceEntity,
  JobEntity,
  EventEntity,
  EndpointEntity,
  DeliveryEntity,
  AttemptEntity,
  ModelWorkerEntity,
];
