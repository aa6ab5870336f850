/** Limits of Node's HTTP server. */
export const connectionLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the idle timeout of clients and proxies, so that they never send on a connection that is being closed. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
} as const;

/** A request with more headers is refused. */
export const headersMax = 1_000;
