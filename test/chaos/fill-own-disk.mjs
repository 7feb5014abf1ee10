// Run by own-disks.spec.ts: fills a small disk, and says what a write meets then and which capabilities are left.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ownDisks, runAmongOwnDisks } from './own-disks.mjs';
import { SmallDisk } from './small-disk.mjs';

const exitCode = await runAmongOwnDisks();
if (exitCode !== undefined) process.exitCode = exitCode;
else if (ownDisks() === undefined) process.stdout.write('no namespace');
else {
  const disk = SmallDisk.prepared(ownDisks().scratch);
  await disk.fill();
  process.stdout.write(`${tryToWrite(disk.dir)} ${effectiveCapabilities()} ${process.getuid()} `);
  await disk.empty();
  process.stdout.write(tryToWrite(disk.dir));
  disk.release();
}

function tryToWrite(dir) {
  try {
    writeFileSync(join(dir, 'file'), Buffer.alloc(65_536));
    return 'written';
  } catch (error) {
    return error.code;
  }
}

function effectiveCapabilities() {
  return Number.parseInt(/^CapEff:\s*(\w+)/m.exec(readFileSync('/proc/self/status', 'latin1'))[1], 16);
}
