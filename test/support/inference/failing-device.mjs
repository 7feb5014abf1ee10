// Preloaded into a process with device threads (NODE_OPTIONS). Once the file FAULT_FILE exists, they fail: with the text
// `thread`, one of them dies between two runs; with `runs`, every run fails, like on a GPU after a sticky error; with
// `color 7 77 177`, threads that get an image of this color die; with `hang 7 77 177`, they compute forever.
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import { InferenceSession } from 'onnxruntime-node';

const file = process.env.FAULT_FILE;
const fault = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');
const fail = () => {
  throw new Error('the thread fails as the test wants');
};

/** Whether the first pixel of an item of the batch [N,height,width,channels] has this color. */
function hasItemOf(color, { data, dims }) {
  const itemLength = data.length / dims[0];
  return Array.from({ length: dims[0] }, (_, index) => index * itemLength).some((start) =>
    color.every((value, channel) => data[start + channel] === value),
  );
}

if (!isMainThread && workerData?.stages !== undefined) {
  setInterval(() => {
    if (fault() !== 'thread') return;
    // Only one thread can remove it. The others continue.
    unlinkSync(file);
    fail();
  }, 20).unref();
  const { run } = InferenceSession.prototype;
  InferenceSession.prototype.run = function (...inputs) {
    if (fault() === 'runs') throw new Error('CUDA error 700: an illegal memory access was encountered');
    const [name, ...color] = fault().split(' ');
    if (
      ['color', 'hang'].includes(name) &&
      Object.values(inputs[0]).some((tensor) => hasItemOf(color.map(Number), tensor))
    ) {
      if (name === 'hang') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
      return new Promise(() => setImmediate(fail));
    }
    return run.apply(this, inputs);
  };
}
