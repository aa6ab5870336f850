import { settlesWithin } from '@holdfast/shared/async';
import * as contract from '@holdfast/shared/contracts/http';
import { handle, type BoundRoute } from '@holdfast/shared/http-server';
import type { KnownProviders } from '../providers/provider-states.js';
import { getNotedUser } from '../use-cases/get-noted-user.js';
import { handleProviderEvent } from '../use-cases/handle-provider-event.js';
import { keepProviderEvent } from '../use-cases/keep-provider-event.js';
import type { Deps, KeptEvent } from '../use-cases/ports.js';
import { readProviderEvent } from './provider-event.js';

/** The same for a repeated event, which changes nothing. */
const taken = { status: 'ok', processed: true } as const;

type Options = {
  readonly deps: Deps;
  readonly providers: Pick<KnownProviders, 'states'>;
  readonly webhookSecret: string | undefined;
};

/** Declared route → use case. */
export function routesOf({ deps, providers, webhookSecret }: Options): readonly BoundRoute[] {
  return [
    handle(contract.receiveEscrowProviderEvent, async ({ body }, ctx) => {
      const kept = await keepProviderEvent(deps, readProviderEvent(body, webhookSecret), ctx);
      if (kept !== undefined) await handled(deps, kept);
      return taken;
    }),
    handle(contract.getUserNotedByAdapter, ({ params }) => getNotedUser(deps, params)),
    handle(contract.getProviderStates, () => providers.states()),
  ];
}

/** The provider gives up on responses that take longer than 15 s; the event is stored, so it need not wait for all that follows. */
const handlingMsMax = 5_000;

/** Most are done as soon as they are stored. What fails is tried again by the job that looks after events. */
async function handled(deps: Deps, kept: KeptEvent): Promise<void> {
  const handling = handleProviderEvent(deps, kept);
  if (kept.isDone) await handling;
  else await settlesWithin(handling, handlingMsMax);
}
