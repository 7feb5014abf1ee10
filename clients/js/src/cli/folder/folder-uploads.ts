import type { FolderContext } from './folder-context.js';
import { isOfImage, stampOf } from './image-file.js';
import { runLanes } from './lanes.js';
import { uploadImage } from './upload-image.js';

/** The uploads of one run: the inputs that are new or have changed, except those that wait for an open batch. */
export class FolderUploads {
  private readonly failed = new Set<string>();

  constructor(private readonly context: FolderContext) {}

  /** Uploads what is missing. Reports the images that cannot be uploaded. */
  async all(): Promise<void> {
    const { line, images, report, bar, signal } = this.context;
    for (const name of images.settled) await this.attempt(name, () => this.compare(name));
    const missing = this.unsaved().filter((name) => images.known(name).sourceUrl == null);
    const done = images.savedInputCount;
    if (done > 0) report.note(`${done} of ${images.inputCount} images were done before.`);
    let count = images.names.length - missing.length;
    await runLanes(missing, line.concurrency, signal, async (name) => {
      bar.stage('uploading', count);
      await this.attempt(name, () => this.upload(name));
      count += 1;
    });
  }

  /** All uploaded images without a result. */
  waiting(): readonly string[] {
    return this.unsaved().filter((name) => this.context.images.known(name).sourceUrl != null);
  }

  private unsaved(): readonly string[] {
    const { images } = this.context;
    return images.free.filter((name) => !images.isSaved(name) && !this.failed.has(name));
  }

  /** Forgets what is known of an image that has changed. */
  private async compare(name: string): Promise<void> {
    const { images, journal } = this.context;
    const stamp = await stampOf(name);
    if (images.known(name).stamp !== stamp)
      await journal.noteImage(name, { stamp, sourceUrl: null, isSaved: false });
  }

  private async upload(name: string): Promise<void> {
    const { client, line, images, journal, signal } = this.context;
    const { uploads = 0 } = images.known(name);
    const key = `${journal.run}-${uploads}`;
    const { timeoutMs, direct } = line;
    const { url } = await uploadImage(client, images.typed(name), key, { signal, timeoutMs, direct });
    await journal.noteImage(name, { sourceUrl: url });
  }

  /** @throws the error, if the other images would fail in the same way */
  private async attempt(name: string, work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (error) {
      if (!isOfImage(error)) throw error;
      this.failed.add(name);
      this.context.report.failed(name, error);
    }
  }
}
