import * as contract from '@holdfast/shared/contracts/http';
import { handle, type BoundRoute } from '@holdfast/shared/http-server';
import { getNotedUser } from '../use-cases/get-noted-user.js';
import type { Deps } from '../use-cases/ports.js';
import { takeProviderEvent } from '../use-cases/take-provider-event.js';
import { readProviderEvent } from './provider-event.js';

/** Declared route → use case. */
export function routesOf(deps: Deps, webhookSecret: string | undefined): readonly BoundRoute[] {
  return [
    handle(contract.receiveEscrowProviderEvent, ({ body }, ctx) =>
      takeProviderEvent(deps, readProviderEvent(body, webhookSecret), ctx),
    ),
    handle(contract.getUserNotedByAdapter, ({ params }) => getNotedUser(deps, params)),
  ];
}
