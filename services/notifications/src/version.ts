import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of the platform: all packages have the same one. */
export function platformVersion(): string {
  const file = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  return z.object({ version: z.string() }).parse(JSON.parse(file)).version;
}
