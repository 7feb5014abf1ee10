// Preloaded into a process with device threads (NODE_OPTIONS). Once the file FAULT_FILE exists, they fail: with the text
// `thread`, one of them dies between two runs; with `runs`, every run fails, like on a GPU after a sticky error.
import { existsSync, readFileSync, unlinkSync } from 'node:fs';
import { isMainThread, workerData } from 'node:worker_threads';
import { InferenceSession } from 'onnxruntime-node';

const file = process.env.FAULT_FILE;
const fault = () => (existsSync(file) ? readFileSync(file, 'utf8') : '');

if (!isMainThread && workerData?.stages !== undefined) {
  setInterval(() => {
    if (fault() !== 'thread') return;
    // Only one thread can remove it. The others continue.
    unlinkSync(file);
    throw new Error('the thread fails as the test wants');
  }, 20).unref();
  const { run } = InferenceSession.prototype;
  InferenceSession.prototype.run = function (...inputs) {
    if (fault() === 'runs') throw new Error('CUDA error 700: an illegal memory access was encountered');
    return run.apply(this, inputs);
  };
}
