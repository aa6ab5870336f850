import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { scopes, type Caller } from '@holdfast/shared/context';
import type { RouteDeclaration } from '@holdfast/shared/contracts/http';
import { AppError } from '@holdfast/shared/errors';
import { defaultMarketplaceId } from '@holdfast/shared/ids';

export type Authenticate = (request: IncomingMessage, route: RouteDeclaration) => Caller;

const master: Caller = { type: 'master', id: 'master', marketplaceId: defaultMarketplaceId, scopes };
const anonymous: Caller = { type: 'system', id: 'anonymous', marketplaceId: defaultMarketplaceId, scopes: [] };

/** Whoever calls, or UNAUTHORIZED. The master key is the only credential that exists so far. */
export function createAuthenticate({ masterKey }: { readonly masterKey: string }): Authenticate {
  const wanted = digestOf(masterKey);
  return (request, route) => {
    if (route.auth === 'public') return anonymous;
    const key = bearerKeyOf(request);
    if (key === undefined || !timingSafeEqual(digestOf(key), wanted)) throw new AppError('UNAUTHORIZED');
    refuseUnknownMarketplace(request);
    return master;
  };
}

/** Digests have one length, so comparing them tells nothing about the key. */
function digestOf(key: string): Buffer {
  return hash('sha256', key, 'buffer');
}

const bearer = /^Bearer ([!-~]{1,512})$/i;

/** Two Authorization headers are an attempt to have two parts of a chain see two different callers. */
function bearerKeyOf({ rawHeaders, headers }: IncomingMessage): string | undefined {
  const names = rawHeaders.filter((_, index) => index % 2 === 0);
  if (names.filter((name) => name.toLowerCase() === 'authorization').length !== 1) return undefined;
  return bearer.exec(headers.authorization ?? '')?.[1];
}

/** The master key may act for any marketplace that exists, and there is only one so far. */
function refuseUnknownMarketplace({ headers }: IncomingMessage): void {
  const wanted = headers['x-marketplace-id'];
  if (wanted !== undefined && wanted !== defaultMarketplaceId) throw new AppError('NOT_FOUND');
}
