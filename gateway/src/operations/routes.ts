import { routesOwnedBy } from '@holdfast/contracts/http';
import { bindRoutes, type BoundRoute } from '@holdfast/http/server';
import type { ServiceClients } from './ask-service.js';
import { readProof } from './ledger-proof.js';
import { listParkedMessages, redriveParkedMessages } from './parked-messages.js';
import { readProviders } from './provider-controls.js';
import { findRun, listRuns, redriveRun } from './saga-runs.js';

const { getPlatformConfig: _config, getHealth: _health, getDetailedHealth: _details, ...declared } = routesOwnedBy('gateway');

/** Declared route → what several services know, put together. Each of them decides for itself. See ADR 0111. */
export function operationRoutes(clients: ServiceClients): readonly BoundRoute[] {
  return bindRoutes(declared, {
    listSagas: ({ query }, ctx) => listRuns(clients, query, ctx),
    getSaga: ({ params }, ctx) => findRun(clients, params, ctx),
    redriveSaga: ({ params, body }, ctx) => redriveRun(clients, { ...body, ...params }, ctx),
    listParked: ({ query }, ctx) => listParkedMessages(clients, query, ctx),
    redriveParked: ({ body }, ctx) => redriveParkedMessages(clients, body, ctx),
    getProviders: (_, ctx) => readProviders(clients, ctx),
    getLedgerProof: (_, ctx) => readProof(clients, ctx),
  });
}
