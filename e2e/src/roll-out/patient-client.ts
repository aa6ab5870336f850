import { request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import type { JsonObject } from '../testing/api.js';

export type Call = { readonly method: 'GET' | 'POST'; readonly path: string; readonly body?: object; readonly key?: string };

export type Reply = {
  readonly status: number;
  readonly code: string | undefined;
  readonly data: JsonObject;
  /** How often the platform asked to try again later. */
  readonly postponed: number;
};

export type PatientClient = {
  /** Repeats a call with the same Idempotency-Key as long as the response is 503 with Retry-After. */
  readonly send: (call: Call) => Promise<Reply>;
  /** Calls that ended in any other way than a 2xx response. */
  readonly failures: readonly string[];
  readonly accept: (failure: string) => void;
};

const attemptsMax = 30;
const timeoutMs = 60_000;
const envelope = z.object({
  data: z.record(z.string(), z.unknown()).optional(),
  error: z.object({ code: z.string() }).optional(),
});
const wrapped = z.object({ success: z.literal(true), data: z.record(z.string(), z.unknown()) });

type Received = { readonly status: number; readonly retryAfter: string | undefined; readonly text: string };

export function patientClient(baseUrl: string, masterKey: string): PatientClient {
  const failures: string[] = [];
  const send = async (call: Call): Promise<Reply> => {
    for (let postponed = 0; postponed < attemptsMax; postponed += 1) {
      const { status, retryAfter, text } = await sendOnce(baseUrl, masterKey, call);
      if (status === 503 && retryAfter !== undefined) {
        await pause(Number(retryAfter) * 1_000);
        continue;
      }
      const { data = {}, error } = envelope.parse(JSON.parse(text));
      const inner = wrapped.safeParse(data);
      const reply = { status, code: error?.code, data: inner.success ? inner.data.data : data, postponed };
      if (status >= 300) failures.push(failureOf(call, reply));
      return reply;
    }
    throw new Error(`${call.path} was postponed ${attemptsMax} times`);
  };
  return {
    send,
    failures,
    accept: (failure) => void failures.splice(failures.indexOf(failure), 1),
  };
}

export function failureOf({ method, path }: Call, { status, code, postponed }: Reply): string {
  return `${method} ${path}: ${status} ${code ?? ''} after ${postponed} times 503`;
}

/** A separate connection for each request, as different clients would have. */
function sendOnce(baseUrl: string, masterKey: string, { method, path, body, key }: Call): Promise<Received> {
  return new Promise((resolve, reject) => {
    const headers = {
      authorization: `Bearer ${masterKey}`,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    };
    const fail = (error: Error): void => reject(new Error(`${method} ${path} failed: ${error.message}`, { cause: error }));
    const outgoing = request(`${baseUrl}${path}`, { method, headers, agent: false, timeout: timeoutMs }, (response) => {
      const chunks: Buffer[] = [];
      response.on('error', fail);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status = 0, headers: received } = response;
        resolve({ status, retryAfter: received['retry-after'], text: Buffer.concat(chunks).toString() });
      });
    });
    outgoing.on('timeout', () => outgoing.destroy(new Error('no response in time')));
    outgoing.on('error', fail);
    outgoing.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
