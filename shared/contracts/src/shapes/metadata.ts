import { z } from 'zod';

/** Maximum size of the JSON text and maximum nesting depth. */
export const metadataMax = { bytes: 16 * 1024, depth: 5 } as const;

export type Metadata = Readonly<Record<string, unknown>>;

/** Free-form data of the marketplace, stored and returned unchanged. */
export const metadata = z
  .record(z.string(), z.unknown())
  .superRefine((value, issues) => {
    const fault = faultOfMetadata(value);
    if (fault !== undefined) issues.addIssue({ code: 'custom', message: fault });
  })
  .meta({ description: 'Your own data: up to 16 KiB of JSON, nested up to five levels', example: { tier: 'gold' } });

/** The fault of metadata, or undefined. For services that merge metadata themselves. */
export function faultOfMetadata(value: Metadata): string | undefined {
  return faultBelow(value, 1) ?? (isTooLarge(value) ? `must not be larger than ${metadataMax.bytes} bytes of JSON` : undefined);
}

function isTooLarge(value: Metadata): boolean {
  return new TextEncoder().encode(JSON.stringify(value)).length > metadataMax.bytes;
}

/** Does not recurse beyond the limit. */
function faultBelow(value: unknown, depth: number): string | undefined {
  if (typeof value !== 'object' || value === null) return faultOfLeaf(value);
  if (depth > metadataMax.depth) return `must not be nested deeper than ${metadataMax.depth} levels`;
  for (const [key, inner] of Object.entries(value)) {
    const fault = faultOfLeaf(key) ?? faultBelow(inner, depth + 1);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function faultOfLeaf(value: unknown): string | undefined {
  if (typeof value === 'string' && unstorable.test(value)) return 'must not contain NUL or incomplete characters';
  if (typeof value === 'number' && !Number.isFinite(value)) return 'must not contain numbers beyond all limits';
  return undefined;
}

/** Characters that Postgres cannot store in text: NUL and unpaired surrogates. */
export const unstorable = /\u0000|\p{Surrogate}/u;
