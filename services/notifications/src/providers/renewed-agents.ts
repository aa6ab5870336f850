import type { Agent } from 'undici';

export type RenewedAgents = {
  readonly current: () => Agent;
  readonly destroy: () => Promise<void>;
};

/**
 * Replaces the agent after a time that is longer than any request, so that no connection is used for long. The old one ends the requests in flight;
 * its idle connections end with their keep-alive time. undici's `clientTtl` does this for each connection, and for each request it
 * reads the clock once for every busy connection to the same host.
 */
export function renewedAgents(create: () => Agent, renewMs: number): RenewedAgents {
  let previous: Agent | undefined;
  let agent = create();
  let renewAtMs = performance.now() + renewMs;
  return {
    current: () => {
      if (performance.now() < renewAtMs) return agent;
      // It has no request left. A closed agent could not be destroyed any more: it has forgotten its connections.
      previous?.destroy().catch(() => undefined);
      previous = agent;
      agent = create();
      renewAtMs = performance.now() + renewMs;
      return agent;
    },
    destroy: async () => {
      await Promise.all([previous?.destroy(), agent.destroy()]);
    },
  };
}
