/** How long each side may keep the other waiting, and how much it may send before it has said what it wants. */
export const connectionLimits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  /** Longer than the idle time of any proxy in front, so that no proxy sends into a connection that is being closed. */
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2_000,
} as const;

/** A request with more of them is refused. */
export const headersMax = 1_000;
