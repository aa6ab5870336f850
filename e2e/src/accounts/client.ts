import { z } from 'zod';

/** The account API as a person's app would call it. */
export type AccountClient = {
  readonly get: (path: string) => Promise<AccountResponse>;
  readonly post: (path: string, body: unknown) => Promise<AccountResponse>;
  readonly patch: (path: string, body: unknown) => Promise<AccountResponse>;
};

export type AccountResponse = {
  readonly status: number;
  readonly message: string;
  /** Empty where the envelope has none. */
  readonly data: Readonly<Record<string, unknown>>;
};

const timeoutMs = 90_000;
const record = z.record(z.string(), z.unknown());
const envelope = z.discriminatedUnion('type', [
  z.strictObject({ code: z.literal(200), type: z.literal('success'), ok: z.literal(true), message: z.string(), data: record }),
  z.strictObject({
    code: z.int().min(400),
    type: z.literal('error'),
    ok: z.literal(false),
    message: z.string(),
    data: z.null(),
    errors: z.array(z.string()).optional(),
  }),
]);

/** The account API has no prefix; the banner shows the base URL of the platform API. */
export function originOf(baseUrl: string): string {
  return new URL(baseUrl).origin;
}

/** Fails when a response is not in the envelope, or when its code is not the status. */
export function accountClient(baseUrl: string, token?: string): AccountClient {
  const request = async (method: string, path: string, body?: unknown): Promise<AccountResponse> => {
    const response = await fetch(`${originOf(baseUrl)}${path}`, {
      method,
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    const { code, message, data } = envelope.parse(await response.json());
    expect(code).toBe(response.status);
    return { status: code, message, data: data ?? {} };
  };
  return {
    get: (path) => request('GET', path),
    post: (path, body) => request('POST', path, body),
    patch: (path, body) => request('PATCH', path, body),
  };
}
