import type { CallerSigner } from '@holdfast/http/caller';
import { overLimitHeader } from '@holdfast/http/server';
import type { Semaphore } from '@holdfast/kernel/async';
import type { GatewayMiddleware } from '../locals.js';
import type { Proxy } from '../proxy.js';
import { sendStored } from '../send-stored.js';
import { outgoingRequest } from './forward-to-service.js';
import { clientOf, refusalOf, type LimitRateDeps } from './limit-rate.js';

export type ForwardWebhookDeps = LimitRateDeps & {
  readonly signer: CallerSigner;
  readonly proxy: Pick<Proxy, 'fetch'>;
  /** Limits the concurrent webhooks of addresses that have reached their limit. */
  readonly overLimitWebhooks: Semaphore;
};

const tooManyRequests = 429;

/**
 * Forwards webhooks. If the service reports a missing or wrong signature, the webhook counts against the limit of its address. The secrets
 * stay in the services, so webhooks of an address beyond its limit are still forwarded, in a few slots. The service first refuses what is
 * not validly signed.
 */
export function forwardWebhook(deps: ForwardWebhookDeps): GatewayMiddleware {
  const { rateLimit, signer, proxy, overLimitWebhooks } = deps;
  return async (request, response) => {
    const { locals } = response;
    locals.isWebhookForwarded = true;
    const client = clientOf(locals);
    const outgoing = outgoingRequest(signer, request, locals);
    const { isCounted, ...received } = rateLimit.isReached(rateLimit.get(client))
      ? await overLimitWebhooks.run(() => proxy.fetch({ ...outgoing, headers: [...outgoing.headers, overLimitHeader, 'true'] }))
      : await proxy.fetch(outgoing);
    if (isCounted) {
      const window = await rateLimit.count(client);
      response.set(rateLimit.headersOf(window));
      if (rateLimit.isExceeded(window) || received.status === tooManyRequests) throw refusalOf(deps, locals, window);
    }
    sendStored(response, received);
  };
}
