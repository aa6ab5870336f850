import type { Contract } from './domain/contract.js';
import { freshIntent, LeaseLost, type Handler, type Lane, type RunResult } from './lanes/index.js';
import type { Asked, AskStore } from './store/ask-store.js';
import { demandContract } from './use-cases/demand-contract.js';
import { deployContract } from './use-cases/deploy-contract.js';
import type { Work } from './use-cases/endings.js';
import { fundContract } from './use-cases/fund-contract.js';
import type { Asks, Deps, IntentKind } from './use-cases/ports.js';
import { settleContract } from './use-cases/settle-contract.js';

const workers = { deploy: deployContract, fund: fundContract, settle: settleContract } as const satisfies Readonly<
  Record<IntentKind, (deps: Deps, work: Work) => Promise<RunResult>>
>;

/** For what is found in the database: somebody else may have worked on it before. */
export function handlersOf(deps: () => Deps): Readonly<Record<IntentKind, Handler>> {
  const handler =
    (kind: IntentKind): Handler =>
    async (intent, signal) =>
      workOn(deps(), kind, { intent, contract: await demandContract(deps(), intent) }, signal);
  return { deploy: handler('deploy'), fund: handler('fund'), settle: handler('settle') };
}

function workOn(deps: Deps, kind: IntentKind, { intent, contract }: Asked, signal: AbortSignal): Promise<RunResult> {
  return workers[kind](deps, { intent, contract, stored: Promise.resolve(contract), signal });
}

type Unplaced = Parameters<AskStore['deploy']>[0];
type Store = (isLeased: boolean) => Promise<Asked | undefined>;

/**
 * What is asked for is begun while it is stored, where the contract is known: reading and building change nothing, and all that
 * would change something waits until it is stored.
 */
export function asksOf(store: AskStore, lane: Lane, deps: () => Deps): Asks {
  const ask = (kind: IntentKind, intent: Unplaced, contract: Contract | undefined, stored: Store): Promise<boolean> =>
    lane.ask(async (isLeased) => {
      const storing = stored(isLeased);
      const early = isLeased && contract !== undefined ? beginEarly(deps(), kind, { intent, contract, storing }) : undefined;
      const asked = await storing.catch((error: unknown) => {
        early?.stop();
        throw error;
      });
      if (asked === undefined || asked.contract.escrowId !== contract?.escrowId) early?.stop();
      else if (early !== undefined) return { intent: asked.intent, handler: early.handler };
      return asked === undefined
        ? undefined
        : { intent: asked.intent, handler: (_, signal) => workOn(deps(), kind, asked, signal) };
    });
  const remembered = (...of: Parameters<Deps['contracts']['remembered']>) => deps().contracts.remembered(...of);
  return {
    deploy: (intent, contract) => ask('deploy', intent, contract, (isLeased) => store.deploy(intent, contract, isLeased)),
    fund: (intent, orderId) => ask('fund', intent, remembered(orderId), (isLeased) => store.ofOrder(intent, orderId, isLeased)),
    settle: (intent, { escrowId, orderId }) =>
      ask('settle', intent, remembered(orderId), (isLeased) => store.ofEscrow(intent, escrowId, isLeased)),
  };
}

type Early = { readonly handler: Handler; readonly stop: () => void };
type BeingStored = { readonly intent: Unplaced; readonly contract: Contract; readonly storing: Promise<Asked | undefined> };

/** It goes no further than to a signed envelope before the intent is stored, and ends where it was not, or acts on another contract. */
function beginEarly(deps: Deps, kind: IntentKind, { intent: asked, contract, storing }: BeingStored): Early {
  const intent = freshIntent({ subject: contract.escrowId, ...asked }, deps.clock.now());
  const stopping = new AbortController();
  const stored = storing.then((found) => {
    if (found?.contract.escrowId !== contract.escrowId) throw new LeaseLost(intent.id);
    return found.contract;
  });
  const result = workers[kind](deps, { intent, contract, stored, signal: stopping.signal });
  // Whoever waits for them hears of it; where nobody does, nothing has happened.
  stored.catch(ignore);
  result.catch(ignore);
  return {
    stop: () => stopping.abort(new LeaseLost(intent.id)),
    handler: (_, signal) => {
      const stop = (): void => stopping.abort(signal.reason);
      if (signal.aborted) stop();
      else signal.addEventListener('abort', stop, { once: true });
      return result;
    },
  };
}

const ignore = (): void => undefined;
