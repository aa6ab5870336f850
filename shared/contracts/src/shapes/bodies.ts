import { z } from 'zod';

/** An empty body or an empty object. */
export const noBody = z.strictObject({});

/** Any body is accepted and ignored, even a malformed one. */
export const ignoredBody = z.unknown();

/** The unparsed body, for handlers that verify a signature over its bytes. */
export type RawBody = {
  readonly bytes: Uint8Array;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
};

export const rawBody = z.custom<RawBody>();
