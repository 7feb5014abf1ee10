/**
 * Turns off ONNX Runtime's telemetry, which official builds since 1.30 send to Microsoft by default, unless
 * `ORT_DISABLE_TELEMETRY` is already set. Call it on the main thread before the first session of the process, because
 * the library reads the environment of the process once, and threads have only a copy of it.
 */
export function disableOnnxTelemetry(): void {
  process.env['ORT_DISABLE_TELEMETRY'] ||= '1';
}
