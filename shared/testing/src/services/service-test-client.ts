import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, type Caller, type Clock } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import { apiPrefix } from '@holdfast/http/server';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';

/** A response, with the properties that tests assert most often. */
export type TestResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly data?: unknown; readonly meta?: unknown; readonly error?: { readonly code: string } };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows the shape of the route it calls
  readonly data: any;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
};

/** The caller of a request. Properties that are left out are those of the master key. */
export type TestCaller = Partial<Caller> & { readonly operationId?: string };

export type ServiceTestClient = {
  readonly get: (path: string, by?: TestCaller) => Promise<TestResponse>;
  readonly post: (path: string, body: unknown, by?: TestCaller) => Promise<TestResponse>;
  readonly patch: (path: string, body: unknown, by?: TestCaller) => Promise<TestResponse>;
  readonly delete: (path: string, by?: TestCaller) => Promise<TestResponse>;
};

export type ServiceTestClientOptions = {
  readonly service: ServiceName;
  readonly url: string;
  readonly secret: string;
  readonly clock: Pick<Clock, 'epochMs'>;
};

const master: Caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes };

/** Calls a service like the gateway, with the signed token of a verified caller. */
export function serviceTestClient({ service, url, secret, clock }: ServiceTestClientOptions): ServiceTestClient {
  const signer = callerSigner({ secret, clock });

  async function send(method: string, path: string, body: string | undefined, by: TestCaller = {}): Promise<TestResponse> {
    const { operationId, ...caller } = by;
    const operation = operationId === undefined ? {} : { operationId };
    const signed = signer.sign({ caller: { ...master, ...caller }, ...operation }, service);
    const headers = { [callerHeader]: signed, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    return toTestResponse(await fetch(url + apiPrefix + path, { method, headers, ...(body === undefined ? {} : { body }) }));
  }

  return {
    get: (path, by) => send('GET', path, undefined, by),
    post: (path, body, by) => send('POST', path, JSON.stringify(body), by),
    patch: (path, body, by) => send('PATCH', path, JSON.stringify(body), by),
    delete: (path, by) => send('DELETE', path, undefined, by),
  };
}

async function toTestResponse(response: Response): Promise<TestResponse> {
  const body = (await response.json()) as TestResponse['body'] & {
    readonly error?: { readonly details?: TestResponse['details'] };
  };
  return {
    status: response.status,
    headers: Object.fromEntries(response.headers),
    body,
    data: body.data,
    code: body.error?.code,
    details: body.error?.details ?? {},
  };
}
