/** How much of a file was sent. */
export interface UploadProgress {
  /** Of this attempt; a retry starts at 0 again. */
  readonly sentBytes: number;
  readonly totalBytes: number;
}

type Tell = (progress: UploadProgress) => void;

/**
 * The file, telling how much of it was read for sending. `fetch` has no progress of its own: Node.js reads a Blob by its
 * `stream()`; browsers do not, and tell only the end.
 */
export function toldFile(file: Blob, onProgress: Tell | undefined): File {
  const name = file instanceof File ? file.name : 'image';
  if (onProgress === undefined) return file instanceof File ? file : new File([file], name);
  return new ToldFile(file, name, onProgress);
}

class ToldFile extends File {
  constructor(
    file: Blob,
    name: string,
    private readonly onProgress: Tell,
  ) {
    super([file], name, { type: file.type });
  }

  override stream(): ReturnType<File['stream']> {
    let sentBytes = 0;
    const tell = () => this.onProgress({ sentBytes, totalBytes: this.size });
    tell();
    const told = new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>(
      {
        transform: (chunk, controller) => {
          controller.enqueue(chunk);
          sentBytes += chunk.length;
          tell();
        },
      },
      { highWaterMark: 1 },
      { highWaterMark: 0 },
    );
    return super.stream().pipeThrough(told);
  }
}
