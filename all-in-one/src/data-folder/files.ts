import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ownerOnly = 0o600;

/** A reader sees the old text or the new one, never a part, even after a power failure. */
export function writeDurably(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  const handle = openSync(temporary, 'w', ownerOnly);
  try {
    writeFileSync(handle, text);
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
  renameSync(temporary, file);
  flushFolder(path.dirname(file));
}

/** The file stays deleted, even after a power failure. */
export function removeDurably(file: string): void {
  rmSync(file, { force: true });
  flushFolder(path.dirname(file));
}

function flushFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
