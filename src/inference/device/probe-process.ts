/**
 * Tests execution providers in a separate process, which a broken driver may crash. See
 * probe-device.ts.
 */
import { probeProvider } from '../engines/provider-probe.js';
import type { Placement } from '../engines/placement.js';

process.once('message', (placement: Placement) => {
  void probeProvider(placement).then((fault) => process.send?.({ fault }, () => process.exit(0)));
});
process.once('disconnect', () => process.exit(0));
