import { AppError } from '@holdfast/kernel/errors';
import type { GatewayMiddleware } from '../locals.js';
import type { ProviderStatus } from '../provider-status.js';

export type RequireSandboxDeps = { readonly providers: Pick<ProviderStatus, 'kinds'> };

const outsideSystems = ['paymentProvider', 'escrowProvider', 'ledgerNetwork'] as const;

/**
 * 404 unless the sandbox simulates all outside systems. One real system is enough for a 404: with a simulated provider beside a real
 * network, a developer could create money that leaves. The check precedes the credential, as for an unknown path.
 */
export function requireSandbox({ providers }: RequireSandboxDeps): GatewayMiddleware {
  return (_request, _response, next) => {
    const kinds = providers.kinds();
    if (!outsideSystems.every((name) => kinds[name] === 'sandbox')) throw new AppError('NOT_FOUND');
    next();
  };
}
