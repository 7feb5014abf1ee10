import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ConflictError, ImageEnhancement, NotFoundError } from '../../../clients/js/src/node.js';
import { smallPhoto } from '../../support/images/client-picture.js';
import { SharedService } from '../../support/roles/shared-service.js';

describe('presets of the JavaScript client', () => {
  let service: SharedService;
  let client: ImageEnhancement;
  beforeAll(async () => {
    service = await SharedService.join();
    const { account } = await service.client();
    client = new ImageEnhancement({ baseUrl: service.baseUrl, apiKey: account.key });
  });
  afterAll(() => service?.close());

  it('can be saved, read, used, replaced and deleted', async () => {
    const operations = [{ operation: 'auto_enhance', level: 'low' } as const, { operation: 'smooth_skin' }];
    const preset = await client.presets.save('mine', { operations, output: { format: 'webp' } });
    expect(preset).toMatchObject({ name: 'mine', operations, output: { format: 'webp' }, isBuiltIn: false });
    expect(await client.presets.get('mine')).toEqual(preset);
    const names = (await client.presets.list()).map(({ name }) => name);
    expect(names).toEqual(['portrait', 'product-on-white', 'old-scan', 'mine']);
    const { job, info } = await client.enhance(await smallPhoto(), { preset: 'mine' });
    expect(job).toMatchObject({
      preset: 'mine',
      operations: [{ level: 'low' }, { operation: 'smooth_skin' }],
    });
    expect(info.format).toBe('webp');
    const sourceUrls = [job.sourceUrl];
    expect(await client.batches.create({ preset: 'mine', sourceUrls })).toMatchObject({ preset: 'mine' });
    await client.presets.save('mine', { operations: operations.slice(0, 1) });
    expect(await client.presets.get('mine')).not.toHaveProperty('output');
    await client.presets.delete('mine');
    await expect(client.presets.get('mine')).rejects.toThrow(NotFoundError);
    await expect(client.presets.delete('mine')).rejects.toThrow(NotFoundError);
  });

  it('cannot be changed or deleted if they are built in', async () => {
    const save = client.presets.save('portrait', { operations: [{ operation: 'upscale' }] });
    await expect(save).rejects.toThrow(ConflictError);
    await expect(client.presets.delete('portrait')).rejects.toThrow(ConflictError);
  });
});
