import { CannotStart, type Api } from '@holdfast/all-in-one';
import { z } from 'zod';

export type Json = Readonly<Record<string, unknown>>;

export type Client = {
  /** The data of the response. Throws with the error code and message of a refusal. */
  readonly get: (path: string) => Promise<Json>;
  readonly post: (path: string, body?: Json) => Promise<Json>;
};

const timeoutMs = 70_000;
const responseSchema = z.object({ data: z.record(z.string(), z.unknown()) });
const wrapped = z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) });
const refusalShape = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

export function clientOf({ baseUrl, key }: Api): Client {
  const request = async (method: string, path: string, body?: Json): Promise<Json> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    }).catch((error: unknown) => {
      throw new CannotStart(`${method} ${path} had no response: Holdfast at ${baseUrl} has stopped, or is overloaded.`, {
        cause: error,
      });
    });
    const responseBody: unknown = await response.json();
    if (!response.ok) throw new Error(refusalIn(responseBody, `${method} ${path}`, response.status));
    const { data } = responseSchema.parse(responseBody);
    const inner = wrapped.safeParse(data);
    return inner.success ? inner.data.data : data;
  };
  return { get: (path) => request('GET', path), post: (path, body) => request('POST', path, body) };
}

function refusalIn(responseBody: unknown, what: string, status: number): string {
  const refusal = refusalShape.safeParse(responseBody);
  return refusal.success
    ? `${what} was refused with ${status} ${refusal.data.error.code}: ${refusal.data.error.message}`
    : `${what} responded with ${status}.`;
}
