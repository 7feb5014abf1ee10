/** Writes an image to standard output, and waits until it is taken. */
export function writeOut(stdout: NodeJS.WriteStream, bytes: Uint8Array): Promise<void> {
  return new Promise((done, failed) => {
    stdout.write(bytes, (error) => (error == null ? done() : failed(error)));
  });
}
