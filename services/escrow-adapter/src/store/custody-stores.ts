import { isSharedNetwork } from '@holdfast/ledger-network/horizon';
import { unitsOfText } from '@holdfast/ledger-network/values';
import type { ServiceRuntime } from '@holdfast/service-kit';
import type { Settings } from '../config.js';
import { creditedCurrency } from '../domain/credited-currency.js';
import type { OwnPlace } from '../use-cases/custody/ports.js';
import { claimStore, type ClaimStoreDeps } from './claim-store.js';
import { movingAccounts } from './moving-store.js';
import { uncreditedStore } from './uncredited-store.js';
import { watcherStore } from './watcher-store.js';

type Given = Pick<ClaimStoreDeps, 'holdingsOf'> & {
  /** The accounts of the platform itself. */
  readonly platformPlaces: ReadonlyMap<string, OwnPlace>;
};

/** What is stored and published about the network's history. */
export function custodyStores(runtime: ServiceRuntime<Settings>, { platformPlaces, holdingsOf }: Given) {
  const { config, database, outbox, broker } = runtime;
  const credited = creditedCurrency(config.DEPOSIT_CREDITS);
  const outflowStops = config.UNKNOWN_OUTFLOW_STOPS ?? isSharedNetwork(config.LEDGER_NETWORK_PASSPHRASE);
  const messages = { outbox, creditedCurrency: credited, outflowStops };
  const minimumUnits = { USDC: unitsOfText(config.DEPOSIT_MINIMUM_USDC), XLM: unitsOfText(config.DEPOSIT_MINIMUM_XLM) };
  const watched = watcherStore({ ...messages, database, broker, platformPlaces });
  return {
    credited,
    watched,
    claims: claimStore({ ...messages, database, minimumUnits, placesOf: watched.placesOf, holdingsOf }),
    uncredited: uncreditedStore(database),
    movingAt: movingAccounts(database),
  };
}
