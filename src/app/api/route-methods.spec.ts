import { describe, expect, it } from 'vitest';
import { RouteMethods } from './route-methods.js';

function routes(): RouteMethods {
  const methods = new RouteMethods();
  methods.add('/api/jobs', ['POST']);
  methods.add('/api/jobs', ['GET', 'HEAD']);
  methods.add('/api/jobs/:id', ['GET']);
  methods.add('/api/jobs/recent', ['DELETE']);
  methods.add('/api/a.b', ['GET']);
  methods.add('/files/src_:name', ['GET']);
  methods.add('/api/*', ['GET', 'POST']);
  return methods;
}

describe('RouteMethods', () => {
  it.each([
    ['/api/jobs', ['GET', 'HEAD', 'POST']],
    ['/api/jobs/1', ['GET']],
    ['/api/jobs/recent', ['DELETE', 'GET']],
    ['/api/jobs/', []],
    ['/api/jobs/1/2', []],
    ['/api/JOBS', []],
    ['/api/a.b', ['GET']],
    ['/files/src_1.jpg', ['GET']],
    ['/files/job_1.jpg', []],
    ['/api/axb', []],
    ['/api/nothing', []],
  ])('%s has %j', (path, methods) => {
    expect(routes().of(path)).toEqual(methods);
  });
});
