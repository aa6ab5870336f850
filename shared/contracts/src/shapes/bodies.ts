import { z } from 'zod';

/** No fields at all: an empty body or an empty object. */
export const noBody = z.strictObject({});

/** Whatever comes is ignored, even what is malformed. */
export const ignoredBody = z.unknown();

/** The bytes exactly as they were sent, for handlers that check a signature before they believe anything. */
export type RawBody = {
  readonly bytes: Uint8Array;
  /** By lower-case name. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export const rawBody = z.custom<RawBody>();
