import type { OpenAPIObject } from '@nestjs/swagger';
import { type CurlOperation, curlSample } from './curl-sample.js';
import { JAVASCRIPT_SAMPLES } from './javascript-samples.js';
import { PYTHON_SAMPLES } from './python-samples.js';

/** Adds `x-codeSamples` to the document: each operation in curl, JavaScript and Python. */
export function withCodeSamples(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => [
    path,
    Object.fromEntries(
      Object.entries(item as Record<string, CurlOperation>).map(([method, operation]) => [
        method,
        { ...operation, 'x-codeSamples': samplesOf(method, path, operation) },
      ]),
    ),
  ]);
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

function samplesOf(method: string, path: string, operation: CurlOperation): object[] {
  const samples = [
    { lang: 'bash', label: 'curl', source: curlSample(method, path, operation) },
    { lang: 'js', label: 'JavaScript', source: JAVASCRIPT_SAMPLES[operation.operationId ?? ''] },
    { lang: 'python', label: 'Python', source: PYTHON_SAMPLES[operation.operationId ?? ''] },
  ];
  return samples.filter(({ source }) => source !== undefined);
}
