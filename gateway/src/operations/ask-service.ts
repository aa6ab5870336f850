import type { Context, Log } from '@holdfast/kernel/context';
import type { ServiceName } from '@holdfast/contracts/services';
import type { CallerSigner } from '@holdfast/http/caller';
import { createServiceClient, type CallContext, type ServiceClient } from '@holdfast/http/service-client';
import { AppError } from '@holdfast/kernel/errors';
import type { ServiceUrls } from '../config.js';

export type ServiceClients = {
  /** SERVICE_UNAVAILABLE for a service without URL. */
  readonly of: (service: ServiceName) => ServiceClient;
  readonly close: () => Promise<void>;
};

/** The clients with which the gateway reads what operators ask for. Each call has the time limit of calls between services. */
export function createServiceClients(serviceUrls: ServiceUrls, signer: CallerSigner): ServiceClients {
  const clients = new Map<ServiceName, ServiceClient>();
  return {
    of: (to) => {
      const baseUrl = serviceUrls[to];
      if (baseUrl === undefined) throw new AppError('SERVICE_UNAVAILABLE');
      const client = clients.get(to) ?? createServiceClient({ from: 'gateway', to, baseUrl, signer });
      clients.set(to, client);
      return client;
    },
    close: async () => {
      await Promise.all([...clients.values()].map((client) => client.close()));
    },
  };
}

export type Question<Result> = (client: ServiceClient, context: CallContext) => Promise<Result>;

export function callContextOf({ requestId, caller }: Pick<Context, 'requestId' | 'caller'>): CallContext {
  return { requestId, marketplaceId: caller.marketplaceId };
}

/** What each service has responded. Those that did not are in `unavailable`, and fail none of the others. */
export type Answers<Name extends ServiceName, Result> = {
  readonly answers: readonly { readonly service: Name; readonly found: Result }[];
  readonly unavailable: Name[];
};

export async function askServices<Name extends ServiceName, Result>(
  clients: ServiceClients,
  questions: readonly (readonly [Name, Question<Result>])[],
  ctx: Pick<Context, 'requestId' | 'caller' | 'log'>,
): Promise<Answers<Name, Result>> {
  const ask = async (service: Name, question: Question<Result>): Promise<Result> =>
    question(clients.of(service), callContextOf(ctx));
  const asked = await Promise.all(
    questions.map(async ([service, question]) => ({
      service,
      found: await ask(service, question).catch(unavailableIn(ctx.log, service)),
    })),
  );
  const unavailable = asked.filter(({ found }) => found === undefined).map(({ service }) => service);
  return { answers: asked.flatMap(({ service, found }) => (found === undefined ? [] : [{ service, found }])), unavailable };
}

function unavailableIn(log: Log, service: ServiceName): (error: unknown) => undefined {
  return (error) => {
    log.warn({ error, service }, 'a service did not respond to an operator');
    return undefined;
  };
}
