import { useEffect, useRef, useState, type ReactNode } from 'react';
import { useQueryClient } from '@tanstack/react-query';
import { isHoldfastError } from '@holdfast/sdk';
import { useMay, useSession } from '../session/session-context.js';
import { credentialRefused } from '../session/session.js';
import { followEvents } from './follow-events.js';
import { LiveContext, type Listener, type LiveEvent, type LiveState } from './live-context.js';
import { createRefresh } from './refresh.js';

/** Follows the events of the marketplace, and lets the queries on the screen be read again after those that concern them. */
export function LiveProvider({ children }: { readonly children: ReactNode }) {
  const [state, setState] = useState<LiveState>('connecting');
  const [listeners] = useState(() => new Set<Listener>());
  const [listen] = useState(() => (listener: Listener) => {
    listeners.add(listener);
    return () => void listeners.delete(listener);
  });
  useStream(listeners, setState);
  return <LiveContext value={{ state, listen }}>{children}</LiveContext>;
}

function useStream(listeners: ReadonlySet<Listener>, setState: (state: LiveState) => void): void {
  const { api, signOut } = useSession();
  const mayRead = useMay('read');
  const client = useQueryClient();
  const end = useRef(signOut);
  useEffect(() => {
    end.current = signOut;
  });
  useEffect(() => {
    if (!mayRead) return undefined;
    const stop = new AbortController();
    const refresh = createRefresh(client, stop.signal);
    const onEvent = (event: LiveEvent): void => {
      refresh(event);
      for (const listener of listeners) listener(event);
    };
    // What has happened since a query was answered, or while the stream was broken, is not on the stream.
    const onState = (state: LiveState): void => {
      setState(state);
      if (state === 'live') client.invalidateQueries().catch(() => undefined);
    };
    followEvents(api, { signal: stop.signal, onEvent, onState }).catch((error: unknown) => {
      if (isHoldfastError(error) && error.status === 401) end.current(credentialRefused);
      else setState('away');
    });
    return () => stop.abort();
  }, [api, client, listeners, mayRead, setState]);
}
