import { isUtf8 } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';

/** The suffix of the variable that names the file of a secret. */
const fileSuffix = '_FILE';

/** `INTERNAL_SECRET` can be given as a file by INTERNAL_SECRET_FILE. */
export function fileVariableName(variable: string): string {
  return `${variable}${fileSuffix}`;
}

export type SecretFile =
  { readonly text: string; readonly fault?: undefined } | { readonly text?: undefined; readonly fault: string };

const sizeMaxBytes = 65_536;

/** The content of a file without its last newline, which editors and `echo` add. A fault completes a sentence about the file. */
export function readSecretFile(file: string): SecretFile {
  try {
    const facts = statSync(file);
    if (!facts.isFile()) return { fault: 'is not a file' };
    if (facts.size > sizeMaxBytes) return { fault: `is larger than ${sizeMaxBytes} bytes` };
    const content = readFileSync(file);
    if (!isUtf8(content)) return { fault: 'is not UTF-8 text' };
    const text = content.toString('utf8').replace(/\r?\n$/, '');
    return text.trim() === '' ? { fault: 'is empty' } : { text };
  } catch (error) {
    return { fault: `cannot be read (${reasonOf(error)})` };
  }
}

function reasonOf(error: unknown): string {
  return typeof error === 'object' && error !== null && 'code' in error ? String(error.code) : String(error);
}
