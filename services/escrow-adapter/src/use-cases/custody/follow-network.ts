import type { Leases } from '@holdfast/intents';
import type { Clock } from '@holdfast/kernel/context';
import { createFollowTo, type FollowTo } from './followed-ledger.js';
import { createFollower, type Follower } from './follower.js';
import { createPoller, type Poller } from './poller.js';
import { pollNetwork, type WatcherDeps } from './watcher.js';

export type FollowDeps = WatcherDeps & {
  readonly leases: Leases;
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'epochMs'>;
};

export type Following = { readonly poller: Poller; readonly follower: Follower; readonly followTo: FollowTo };

/** Follows the network's history: one poll at a time in a process, and one process at a time. */
export function followNetwork(deps: FollowDeps): Following {
  let ends = 0;
  const onEnd = (): void => {
    ends += 1;
    deps.metrics.onEnd();
  };
  const poller = createPoller(pollNetwork({ ...deps, metrics: { ...deps.metrics, onEnd } }), deps);
  const follower = createFollower({ ...deps, poller });
  return { poller, follower, followTo: createFollowTo({ history: deps.history, poller, ends: () => ends }) };
}
