import type { Scope } from '@holdfast/kernel/context';
import type { RefusedCredential, VerifiedCredential } from '@holdfast/contracts/http';
import { aService, type ReceivedRequest } from './running-gateway.js';

/** A well-formed API key. Different ids give different keys. */
export function aKeyText(id: string): string {
  return `hk_live_${id}_${'s'.repeat(43)}`;
}

export function aVerified(id: string, scopes: readonly Scope[], overrides: Partial<VerifiedCredential> = {}): VerifiedCredential {
  return { type: 'api_key', id: `key_${id}`, marketplaceId: 'mkt_default', scopes: [...scopes], expiresAt: null, ...overrides };
}

/** A stub of identity that knows the credentials and marketplaces that the test adds. */
export async function anIdentity() {
  const known = new Map<string, VerifiedCredential>();
  const refusals = new Map<string, RefusedCredential>();
  const marketplaces = new Set<string>();
  const service = await aService();
  const verificationOf = ({ body }: Pick<ReceivedRequest, 'body'>) => {
    const { credential } = JSON.parse(body) as { credential: string };
    const verified = known.get(credential);
    return verified === undefined ? { refused: refusals.get(credential) ?? 'unknown' } : { verified };
  };
  service.state.behave = (request, response) => {
    const respond = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    if (request.url === '/api/v1/internal/credentials/verify')
      return respond(200, { data: verificationOf(service.received.at(-1) ?? { body: '{}' }) });
    const id = /^\/api\/v1\/internal\/marketplaces\/(.+)$/.exec(request.url ?? '')?.[1] ?? '';
    if (!marketplaces.has(id)) return respond(404, { error: { code: 'MARKETPLACE_NOT_FOUND', message: '' } });
    return respond(200, { data: { id, name: id, createdAt: '2026-01-31T12:00:00.000000Z' } });
  };
  return { ...service, known, refusals, marketplaces, verificationOf, defaultBehavior: service.state.behave };
}
