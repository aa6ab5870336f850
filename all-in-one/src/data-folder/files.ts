import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const ownerOnly = 0o600;

/** Whoever reads the file sees the old text or the new one, never a part, also after a power cut. */
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

/** It stays gone, also after a power cut. */
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
