import { createDispatch, type DispatchOptions } from './dispatch.js';
import { startServing, type Listener, type ListenerOptions } from './listener.js';
import { bodyLimits } from './read-body.js';

export type HttpServerOptions = ListenerOptions &
  Omit<DispatchOptions, 'isStopping' | 'bodyLimits' | 'translateError'> &
  Partial<Pick<DispatchOptions, 'bodyLimits' | 'translateError'>>;

/** Serves the declared routes of one service, and what its operators ask. */
export async function startHttpServer(options: HttpServerOptions): Promise<Listener> {
  let isStopping = false;
  const { serve, isStream } = createDispatch({
    bodyLimits,
    translateError: () => undefined,
    ...options,
    isStopping: () => isStopping,
  });
  const listener = await startServing({ ...options, serve, isStream });
  return {
    ...listener,
    stop: () => {
      isStopping = true;
      return listener.stop();
    },
  };
}
