import { readFileSync } from 'node:fs';
import { z } from 'zod';

/** The version of the product; all packages have the same one. */
export const productVersion: string = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'))).version;
