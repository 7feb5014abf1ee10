import type { OpenAPIObject } from '@nestjs/swagger';
import { mapOperations } from '../openapi-operations.js';
import { type CurlOperation, curlSample } from './curl-sample.js';
import { JAVASCRIPT_SAMPLES } from './javascript-samples.js';
import { PYTHON_SAMPLES } from './python-samples.js';

/** Adds `x-codeSamples` to the document: each operation in curl, JavaScript and Python. */
export function withCodeSamples(document: OpenAPIObject): OpenAPIObject {
  return mapOperations(document, (operation, path, method) => ({
    ...operation,
    'x-codeSamples': samplesOf(method, path, operation),
  }));
}

function samplesOf(method: string, path: string, operation: CurlOperation): object[] {
  const samples = [
    { lang: 'bash', label: 'curl', source: curlSample(method, path, operation) },
    { lang: 'js', label: 'JavaScript', source: JAVASCRIPT_SAMPLES[operation.operationId ?? ''] },
    { lang: 'python', label: 'Python', source: PYTHON_SAMPLES[operation.operationId ?? ''] },
  ];
  return samples.filter(({ source }) => source !== undefined);
}
