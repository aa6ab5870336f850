import { createServer } from 'node:http';
import { createDispatch, type DispatchOptions } from './dispatch.js';
import { connectionLimits, startListener, type Listener, type ListenerOptions } from './listener.js';
import { bodyLimits } from './read-body.js';

export type HttpServerOptions = ListenerOptions &
  Omit<DispatchOptions, 'isStopping' | 'bodyLimits' | 'translateError'> &
  Partial<Pick<DispatchOptions, 'bodyLimits' | 'translateError'>>;

/** Serves the declared routes of one service, and what its operators ask. */
export async function startHttpServer(options: HttpServerOptions): Promise<Listener> {
  let isStopping = false;
  const dispatch = createDispatch({ bodyLimits, translateError: () => undefined, ...options, isStopping: () => isStopping });
  const server = createServer(connectionLimits, (request, response) => {
    dispatch(request, response).catch((error: unknown) => {
      options.log.error({ error }, 'a request was lost');
      response.destroy();
    });
  });
  const listener = await startListener(server, options);
  return {
    ...listener,
    stop: () => {
      isStopping = true;
      return listener.stop();
    },
  };
}
