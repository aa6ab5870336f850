import { callerHeader, callerSigner } from '@holdfast/shared/caller';
import type { Clock } from '@holdfast/shared/context';
import { defaultMarketplaceId, type MarketplaceId } from '@holdfast/shared/ids';

/** An answer, with what tests look at most. */
export type Answer = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: { readonly data?: unknown; readonly meta?: unknown; readonly error?: { readonly code: string } };
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- each test knows the shape of the route it asks
  readonly data: any;
  readonly code: string | undefined;
  readonly details: Readonly<Record<string, unknown>>;
};

export type AskedBy = { readonly marketplaceId?: MarketplaceId; readonly operationId?: string };

export type Asking = {
  readonly get: (path: string, by?: AskedBy) => Promise<Answer>;
  readonly post: (path: string, body: unknown, by?: AskedBy) => Promise<Answer>;
};

/** Asks the service as the gateway does, for a caller the gateway has verified. */
export function asking(url: string, { secret, clock }: { readonly secret: string; readonly clock: Clock }): Asking {
  const signer = callerSigner({ secret, clock });

  async function ask(method: string, path: string, body: string | undefined, by: AskedBy = {}): Promise<Answer> {
    const { marketplaceId = defaultMarketplaceId, operationId } = by;
    const caller = { type: 'master', id: 'master', marketplaceId, scopes: ['read', 'write', 'support'] } as const;
    const signed = signer.sign({ caller, ...(operationId === undefined ? {} : { operationId }) }, 'ledger-balance');
    const headers = { [callerHeader]: signed, ...(body === undefined ? {} : { 'content-type': 'application/json' }) };
    return answerOf(await fetch(`${url}/api/v1${path}`, { method, headers, ...(body === undefined ? {} : { body }) }));
  }

  return {
    get: (path, by) => ask('GET', path, undefined, by),
    post: (path, body, by) => ask('POST', path, JSON.stringify(body), by),
  };
}

async function answerOf(response: Response): Promise<Answer> {
  const body = (await response.json()) as Answer['body'] & {
    readonly error?: { readonly details?: Answer['details'] };
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
