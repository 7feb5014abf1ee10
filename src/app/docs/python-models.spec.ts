import { describe, expect, it } from 'vitest';
import { pythonModels } from './python-models.js';
import { PYTHON_MODELS } from './python-model-list.js';

const part = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const components = PYTHON_MODELS.flatMap(({ schema, extended = [] }) => [schema].concat(extended));
/** Every model, empty except for the given ones. */
const modelsOf = (schemas: Record<string, object>) =>
  pythonModels({
    paths: {},
    components: {
      schemas: {
        ...Object.fromEntries(components.map((name) => [name, { properties: {} }])),
        EndpointWithSecret: { properties: { createdAt: { type: 'string' }, secret: { type: 'string' } } },
        Source: { properties: { url: { type: 'string' }, id: { type: 'string' } } },
        ...schemas,
      },
    },
  });

describe('pythonModels', () => {
  it('writes snake_case fields with Python types, and docstrings from the document', () => {
    const text = modelsOf({
      JobResult: {
        required: ['sizeBytes', 'expiresAt', 'tags', 'pairs'],
        properties: {
          sizeBytes: { type: 'integer' },
          expiresAt: { type: 'string', format: 'date-time', description: 'When `it`  ends.' },
          tags: { type: 'array', items: { type: 'string' } },
          pairs: { type: 'object', additionalProperties: { type: 'integer' } },
          note: { type: 'string' },
        },
      },
    });
    expect(text).toContain('    size_bytes: int\n    expires_at: datetime\n    """When ``it`` ends."""\n');
    expect(text).toContain('    tags: List[str]\n    pairs: Mapping[str, int]\n    note: Optional[str]\n');
    expect(text).toContain(
      'size_bytes=data["sizeBytes"],\n            expires_at=parse_time(data["expiresAt"]),',
    );
    expect(text).toContain('note=data.get("note"),');
  });

  it('reads nested models, nullable models, and lists of models', () => {
    const text = modelsOf({
      Job: {
        required: ['error', 'output'],
        properties: {
          error: { anyOf: [part('JobError'), { type: 'null' }] },
          output: part('JobOutput'),
        },
      },
      Delivery: {
        required: ['attempts'],
        properties: { attempts: { type: 'array', items: part('Attempt') } },
      },
    });
    expect(text).toContain('    error: Optional[JobError]\n    output: JobOutput\n');
    expect(text).toContain(
      'error=None if data.get("error") is None else JobError.from_json(data["error"]),\n            output=JobOutput.from_json(data["output"]),',
    );
    expect(text).toContain('attempts=[Attempt.from_json(each) for each in data.get("attempts") or []],');
  });

  it('flattens parts that have no model of their own into the other fields', () => {
    const text = modelsOf({
      Usage: { required: ['storage'], properties: { storage: part('StorageUsage') } },
      StorageUsage: { required: ['usedBytes'], properties: { usedBytes: { type: 'integer' } } },
    });
    expect(text).toContain('    storage_used_bytes: int\n');
    expect(text).toContain('storage_used_bytes=data["storage"]["usedBytes"],');
  });

  it('writes fields in a fixed order, and hides a secret from repr()', () => {
    const text = modelsOf({});
    expect(text).toContain('    id: Optional[str]\n    url: Optional[str]\n');
    expect(text).toContain('    secret: Optional[str] = field(repr=False)\n    created_at: Optional[str]\n');
  });
});
