import { callerHeader, callerSigner } from '@holdfast/http/caller';
import { scopes, type Caller, type Clock } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import { allRoutes, apiPrefix } from '@holdfast/contracts/http';
import { defaultMarketplaceId } from '@holdfast/kernel/ids';

/** A response, with the properties that tests assert most often. */
export type TestResponse = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: {
    readonly data?: unknown;
    readonly meta?: unknown;
    readonly error?: { readonly code: string };
    /** In the envelope of the account API. */
    readonly message?: string;
    readonly errors?: readonly string[];
  };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows the shape of the route it calls
  readonly data: any;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
};

/** The caller of a request. Properties that are left out have the values of the master key. */
export type TestCaller = Partial<Caller> & { readonly operationId?: string; readonly clientAddress?: string };

export type ServiceTestClient = {
  readonly get: (path: string, by?: TestCaller) => Promise<TestResponse>;
  readonly post: (path: string, body: unknown, by?: TestCaller) => Promise<TestResponse>;
  readonly patch: (path: string, body: unknown, by?: TestCaller) => Promise<TestResponse>;
  readonly delete: (path: string, by?: TestCaller) => Promise<TestResponse>;
  /** The response as it comes, for files and connections that break. */
  readonly fetch: (
    path: string,
    init: Omit<RequestInit, 'headers'> & { readonly headers?: Readonly<Record<string, string>> },
  ) => Promise<Response>;
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
    const { operationId, clientAddress, ...caller } = by;
    const operation = operationId === undefined ? {} : { operationId };
    const origin = clientAddress === undefined ? {} : { clientAddress };
    const signed = signer.sign({ caller: { ...master, ...caller }, ...operation, ...origin }, service);
    const headers = { [callerHeader]: signed, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    return toTestResponse(await fetch(url + prefixOf(path) + path, { method, headers, ...(body === undefined ? {} : { body }) }));
  }

  return {
    get: (path, by) => send('GET', path, undefined, by),
    post: (path, body, by) => send('POST', path, JSON.stringify(body), by),
    patch: (path, body, by) => send('PATCH', path, JSON.stringify(body), by),
    delete: (path, by) => send('DELETE', path, undefined, by),
    fetch: (path, { headers, ...init }) => {
      const signed = signer.sign({ caller: master }, service);
      return fetch(url + prefixOf(path) + path, { ...init, headers: { ...headers, [callerHeader]: signed } });
    },
  };
}

const accountPaths = allRoutes.filter(({ family }) => family === 'account').map(({ path }) => pathPattern(path));

function pathPattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
}

/** The routes of the account API have no prefix. */
function prefixOf(path: string): string {
  const [pathname = ''] = path.split('?');
  return accountPaths.some((pattern) => pattern.test(pathname)) ? '' : apiPrefix;
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
