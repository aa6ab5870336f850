export const serviceNames = ['identity', 'ledger-balance', 'orders', 'escrow-adapter', 'payments', 'notifications'] as const;
export type ServiceName = (typeof serviceNames)[number];

type Service = { readonly port: number; readonly exists: boolean };

/** All services with their default ports. The gateway has port 8080. */
export const services: Readonly<Record<ServiceName, Service>> = {
  identity: { port: 8081, exists: true },
  'ledger-balance': { port: 8082, exists: true },
  orders: { port: 8083, exists: true },
  'escrow-adapter': { port: 8084, exists: true },
  payments: { port: 8085, exists: true },
  notifications: { port: 8086, exists: true },
};

/** Queues are declared only for existing services, because messages would pile up in a queue without a consumer. */
export const existingServices: readonly ServiceName[] = serviceNames.filter((name) => services[name].exists);
