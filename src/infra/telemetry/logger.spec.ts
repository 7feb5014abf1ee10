import { Writable } from 'node:stream';
import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { pino } from 'pino';
import { afterEach, describe, expect, it } from 'vitest';
import { NestLogger } from './logger.js';

/** A logger and the lines that it has written. */
function memoryLogger(): { logger: NestLogger; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { logger: new NestLogger(pino({ level: 'trace' }, stream)), lines };
}

function refuse(): never {
  throw new Error('refused');
}

describe('NestLogger', () => {
  afterEach(() => Logger.overrideLogger(false));

  it('writes no details for an error without a stack', () => {
    const { logger, lines } = memoryLogger();
    Logger.overrideLogger(logger);
    // Nest passes `undefined` for a missing stack.
    new Logger('worker').error('the second stream did not start');
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ context: 'worker', msg: 'the second stream did not start' });
    expect(lines[0]).not.toHaveProperty('details');
  });

  it('writes the stack of an error as its details', () => {
    const { logger, lines } = memoryLogger();
    Logger.overrideLogger(logger);
    new Logger('worker').error('it broke', 'Error: it broke\n    at work');
    expect(lines[0]).toMatchObject({ msg: 'it broke', details: ['Error: it broke\n    at work'] });
  });

  it('writes the message of an error as the text, without its other properties', () => {
    const { logger, lines } = memoryLogger();
    logger.error(Object.assign(new Error('it broke'), { missing: ['a', 'b'] }), undefined, 'worker');
    expect(lines[0]).toMatchObject({ level: 50, context: 'worker', msg: 'it broke' });
    expect(lines[0]!['stack']).toContain('logger.spec');
    expect(lines[0]).not.toHaveProperty('missing');
  });

  it('leaves the report of an error that prevents a start to the process', async () => {
    const { logger, lines } = memoryLogger();
    Logger.overrideLogger(logger);
    const module = { module: class Refused {}, providers: [{ provide: 'x', useFactory: refuse }] };
    const starting = NestFactory.createApplicationContext(module, { logger, abortOnError: false });
    await expect(starting).rejects.toThrow('refused');
    expect(lines.filter(({ level }) => Number(level) > 20)).toEqual([]);
  });

  it('accepts the text after the fields', () => {
    const { logger, lines } = memoryLogger();
    logger.warn({ jobId: 'job_1' }, 'a job was given back', 'jobs');
    expect(lines[0]).toMatchObject({ context: 'jobs', jobId: 'job_1', msg: 'a job was given back' });
    expect(lines[0]).not.toHaveProperty('details');
  });
});
