import { Pool } from 'undici';
import { createHttpConnections, type Carrier, type ConnectionOptions } from './http-connections.js';

/** Connections of our own where they can be; encrypted ones are left to a general client. */
export function createCarrier(options: ConnectionOptions): Carrier {
  const { url, connectionsMax, connectTimeoutMs, timeoutMs } = options;
  if (url.protocol === 'http:') return createHttpConnections(options);
  const limits = { connect: { timeout: connectTimeoutMs }, headersTimeout: timeoutMs, bodyTimeout: timeoutMs };
  return pooledCarrier(new Pool(url.origin, { ...limits, connections: connectionsMax }));
}

/** A general client as a carrier. */
export function pooledCarrier(pool: Pool): Carrier {
  return { dispatch: (request, handler) => pool.dispatch(request, handler), close: () => pool.close() };
}
