import { z } from 'zod';

export type JsonObject = Readonly<Record<string, unknown>>;

/** A response of the API, without its envelopes. */
export type ApiResponse = {
  readonly status: number;
  readonly code: string | undefined;
  readonly details: JsonObject;
  /** The object itself, also where routes wrap it a second time. */
  readonly data: JsonObject;
};

export type Api = {
  readonly get: (path: string) => Promise<ApiResponse>;
  /** A request with an idempotency key may be repeated: it has one effect. */
  readonly post: (path: string, body?: unknown, idempotencyKey?: string) => Promise<ApiResponse>;
  readonly patch: (path: string, body: unknown) => Promise<ApiResponse>;
  readonly delete: (path: string) => Promise<ApiResponse>;
};

const timeoutMs = 90_000;
const record = z.record(z.string(), z.unknown());
const responseSchema = z.object({
  data: record.optional(),
  error: z.object({ code: z.string(), details: record.optional() }).optional(),
});
const wrapped = z.object({ success: z.literal(true), data: record });

/** The whole API as a marketplace would call it. */
export function apiOf(baseUrl: string, key: string): Api {
  const request = async (method: string, path: string, body?: unknown, idempotencyKey?: string): Promise<ApiResponse> => {
    const response = await fetch(`${baseUrl}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { data = {}, error } = responseSchema.parse(await response.json());
    const inner = wrapped.safeParse(data);
    return {
      status: response.status,
      code: error?.code,
      details: error?.details ?? {},
      data: inner.success ? inner.data.data : data,
    };
  };
  return {
    get: (path) => request('GET', path),
    post: (path, body, idempotencyKey) => request('POST', path, body, idempotencyKey),
    patch: (path, body) => request('PATCH', path, body),
    delete: (path) => request('DELETE', path),
  };
}
