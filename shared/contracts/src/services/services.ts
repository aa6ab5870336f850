export const serviceNames = ['identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications'] as const;
export type ServiceName = (typeof serviceNames)[number];

type Service = { readonly port: number };

/** Each process serves its metrics and health checks on its own port, which is by default this much higher. */
export const metricsPortOffset = 1_000;

/** All services with their default ports. The gateway has port 8080. */
export const services: Readonly<Record<ServiceName, Service>> = {
  identity: { port: 8081 },
  'ledger-balance': { port: 8082 },
  orders: { port: 8083 },
  'escrow-adapter': { port: 8084 },
  payments: { port: 8085 },
  notifications: { port: 8086 },
};
