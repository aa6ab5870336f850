import { IncomingMessage, ServerResponse, createServer, type Server } from 'node:http';
import express from 'express';
import { bornWith } from './born-with.js';
import { createDispatch, type Dispatch, type DispatchOptions } from './dispatch.js';
import { connectionLimits, startListener, type Listener, type ListenerOptions } from './listener.js';
import { bodyLimits } from './read-body.js';

export type HttpServerOptions = ListenerOptions &
  Omit<DispatchOptions, 'isStopping' | 'bodyLimits' | 'translateError'> &
  Partial<Pick<DispatchOptions, 'bodyLimits' | 'translateError'>>;

/** Serves the declared routes of one service, and what its operators ask. */
export async function startHttpServer(options: HttpServerOptions): Promise<Listener> {
  let isStopping = false;
  const dispatch = createDispatch({ bodyLimits, translateError: () => undefined, ...options, isStopping: () => isStopping });
  const listener = await startListener(serverOf(dispatch), options);
  return {
    ...listener,
    stop: () => {
      isStopping = true;
      return listener.stop();
    },
  };
}

/** Express carries the app; declared routes are found in one lookup instead of by trying its layers one after the other. */
function serverOf(dispatch: Dispatch): Server {
  const app = express();
  app.disable('x-powered-by');
  app.disable('etag');
  app.use(dispatch);
  const made = {
    IncomingMessage: bornWith(IncomingMessage, app.request),
    ServerResponse: bornWith(ServerResponse, app.response),
  };
  return createServer({ ...connectionLimits, ...made }, app);
}
