import { createContext, use, useEffect } from 'react';
import type { EventGap, HoldfastEvent } from '@holdfast/sdk';

export type LiveState = 'connecting' | 'live' | 'away';
export type LiveEvent = HoldfastEvent | EventGap;
export type Listener = (event: LiveEvent) => void;

export type Live = {
  readonly state: LiveState;
  /** Calls back for each event of the marketplace. Returns how to stop. */
  readonly listen: (listener: Listener) => () => void;
};

export const LiveContext = createContext<Live | undefined>(undefined);

/** The one event stream of this tab. Queries are read again by themselves; only who shows the events themselves listens. */
export function useLive(): Live {
  const live = use(LiveContext);
  if (live === undefined) throw new Error('useLive needs its provider');
  return live;
}

export function useLiveEvents(listener: Listener): void {
  const { listen } = useLive();
  useEffect(() => listen(listener), [listen, listener]);
}
