import { describeWebgpu, tileOf } from '../support/models/webgpu-orders.js';

describeWebgpu([
  // One tile with an analysis.
  { operation: 'auto_enhance', level: 'medium', width: 7, height: 5, channels: 4 },
  tileOf('upscale', 'medium'),
  tileOf('upscale', 'high'),
  tileOf('smooth_skin', 'medium'),
  tileOf('bg_remove', 'medium', 4),
]);
