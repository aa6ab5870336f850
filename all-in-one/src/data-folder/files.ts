import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ownerOnly = 0o600;

/** Whoever reads the file sees the old text or the new one, never a part, also after a power cut. */
export function writeDurably(file: string, text: string): void {
  const passing = `${file}.${process.pid}.tmp`;
  const handle = openSync(passing, 'w', ownerOnly);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(passing, file);
  const folder = openSync(path.dirname(file), 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}
