import { z } from 'zod';
import { AppError } from '@holdfast/kernel/errors';
import { createHttpClient, HttpStatusError, isHttpRefusal } from '../client/index.js';

type Method = 'GET' | 'POST' | 'DELETE';

/** The control routes of the sandbox. A refusal is INVALID_STATE with its reason. */
export type SandboxControl = {
  readonly call: <Schema extends z.ZodType>(
    method: Method,
    path: string,
    responseSchema: Schema,
    body?: object,
  ) => Promise<z.output<Schema>>;
  readonly close: () => Promise<void>;
};

const timeoutMs = 10_000;
const refusal = z.looseObject({ message: z.string().max(1_000) });

/** `providerUrl` is the address of one of the simulated systems: all of them have the same root. */
export function connectSandboxControl(providerUrl: string): SandboxControl {
  const client = createHttpClient({
    baseUrl: new URL('/_sandbox', providerUrl).href,
    timeoutMs,
    peer: 'sandbox',
    errors: { unavailable: 'SERVICE_UNAVAILABLE', timedOut: 'PROVIDER_TIMEOUT' },
  });
  return {
    call: (method, path, responseSchema, body) =>
      client
        .request({ method, path, responseSchema, ...(body === undefined ? {} : { body }) })
        .catch((error: unknown) => rethrow(error)),
    close: client.close,
  };
}

/** Another address of a provider that has no such routes is none of the sandbox. */
function rethrow(error: unknown): never {
  if (!(error instanceof HttpStatusError)) throw error;
  const reason = refusal.safeParse(error.body).data?.message;
  if (!isHttpRefusal(error) || reason === undefined) throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: error });
  throw new AppError('INVALID_STATE', { reason }, { cause: error });
}

/** NOT_FOUND where the service is not connected to the sandbox: there its control routes do not exist. */
export function requireSandbox(control: SandboxControl | undefined): SandboxControl {
  if (control === undefined) throw new AppError('NOT_FOUND');
  return control;
}
