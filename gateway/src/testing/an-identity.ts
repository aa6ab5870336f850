import type { Scope } from '@holdfast/kernel/context';
import type { VerifiedCredential } from '@holdfast/contracts/http';
import { aService } from './running-gateway.js';

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
  const marketplaces = new Set<string>();
  const service = await aService();
  service.state.behave = (request, response) => {
    const respond = (status: number, body: unknown) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const received = service.received.at(-1);
    if (request.url === '/api/v1/internal/credentials/verify') {
      const { credential } = JSON.parse(received?.body ?? '{}') as { credential: string };
      return respond(200, { data: known.get(credential) ?? null });
    }
    const id = /^\/api\/v1\/internal\/marketplaces\/(.+)$/.exec(request.url ?? '')?.[1] ?? '';
    if (!marketplaces.has(id)) return respond(404, { error: { code: 'MARKETPLACE_NOT_FOUND', message: '' } });
    return respond(200, { data: { id, name: id, createdAt: '2026-01-31T12:00:00.000000Z' } });
  };
  return { ...service, known, marketplaces, defaultBehavior: service.state.behave };
}
