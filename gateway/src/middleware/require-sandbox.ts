import { AppError } from '@holdfast/kernel/errors';
import type { GatewayMiddleware } from '../locals.js';
import type { ProviderStatus } from '../provider-status.js';

export type RequireSandboxDeps = { readonly providers: Pick<ProviderStatus, 'kinds'> };

const outsideSystems = ['paymentProvider', 'escrowProvider', 'ledgerNetwork'] as const;

/**
 * 404 unless all outside systems are known to be those of the sandbox. One real system is enough: with a simulated provider beside a
 * real network a developer could make money that leaves. Comes before the credential, like an unknown path.
 */
export function requireSandbox({ providers }: RequireSandboxDeps): GatewayMiddleware {
  return (_request, _response, next) => {
    const kinds = providers.kinds();
    if (!outsideSystems.every((name) => kinds[name] === 'sandbox')) throw new AppError('NOT_FOUND');
    next();
  };
}
