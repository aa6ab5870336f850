import type { Log } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import { ServiceUnreachable } from './service-unreachable.js';

/** Logs an outage of a service once, when it begins, and once more when the service responds again. */
export type OutageLog = {
  readonly watch: <T>(service: ServiceName, send: () => Promise<T>) => Promise<T>;
};

export function createOutageLog(log: Log): OutageLog {
  /** Failed requests of each service that is not there. */
  const failures = new Map<ServiceName, number>();
  const onResponse = (service: ServiceName): void => {
    const requestsFailed = failures.get(service);
    if (requestsFailed === undefined) return;
    failures.delete(service);
    log.info({ service, requestsFailed }, 'service is reachable again');
  };
  const onFailure = (service: ServiceName, error: ServiceUnreachable): void => {
    const requestsFailed = failures.get(service) ?? 0;
    failures.set(service, requestsFailed + 1);
    if (requestsFailed === 0) log.warn({ service, reason: reasonOf(error) }, 'service is not reachable');
  };
  return {
    watch: async (service, send) => {
      try {
        const result = await send();
        onResponse(service);
        return result;
      } catch (error) {
        if (error instanceof ServiceUnreachable) onFailure(service, error);
        throw error;
      }
    },
  };
}

/** One line: the code of the connection error, else its message. */
function reasonOf({ cause }: ServiceUnreachable): string {
  if (!(cause instanceof Error)) return String(cause);
  return 'code' in cause && typeof cause.code === 'string' ? cause.code : cause.message;
}
