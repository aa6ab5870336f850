import { readinessRouteOf } from '@holdfast/contracts/http';
import type { ServiceName } from '@holdfast/contracts/services';
import { checkReadiness, handle, type BoundRoute, type Readiness } from '@holdfast/http/server';
import { AppError } from '@holdfast/kernel/errors';

/** Every service reports its readiness to the gateway, which shows it in /health/detailed. */
export function readinessRoute(service: ServiceName, readiness: Readiness): BoundRoute {
  return handle(readinessRouteOf(service), async () => {
    const parts = await checkReadiness(readiness);
    const missing = Object.keys(parts).filter((name) => parts[name] !== 'up');
    if (missing.length > 0)
      throw new AppError('SERVICE_UNAVAILABLE', {}, { cause: new Error(`not ready: ${missing.join(', ')}`) });
    return { parts };
  });
}
