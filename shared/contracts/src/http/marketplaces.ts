import { z } from 'zod';
import { noResponseRules } from '../messages/index.js';
import { duration, durationIn, id, instant, name, noBody, noParams, noQuery, pageQuery } from '../shapes/index.js';
import { route } from './route.js';

const ofMarketplaces = {
  service: 'identity',
  path: '/marketplaces',
  auth: 'master',
  family: 'plain',
  params: noParams,
  malformedParams: 'MARKETPLACE_NOT_FOUND',
} as const;

const marketplaceName = name.meta({ description: 'Display name', example: 'Crafts and Co' });

const periodOrNull = duration.nullable();

export const marketplace = z
  .object({
    id: id('mkt'),
    name: marketplaceName,
    disputeResponsePeriod: periodOrNull.meta({
      description: 'How long the other side of a dispute can respond; null: no deadline',
    }),
    disputeDecisionPeriod: periodOrNull.meta({ description: 'After how long an undecided dispute is overdue; null: never' }),
    onNoResponse: z
      .enum(noResponseRules)
      .meta({ description: '`opener`: who opened a dispute wins if the other side is silent' }),
    createdAt: instant,
  })
  .meta({ id: 'Marketplace' });
export type MarketplaceView = z.infer<typeof marketplace>;

export const createMarketplace = route({
  ...ofMarketplaces,
  name: 'marketplaces.create',
  method: 'post',
  summary: 'Create a marketplace',
  description: 'Requires the master key. The marketplace `mkt_default` always exists.',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({ name: marketplaceName }),
  success: { status: 201, data: marketplace },
  errors: [],
});

export const listMarketplaces = route({
  ...ofMarketplaces,
  name: 'marketplaces.list',
  method: 'get',
  summary: 'List marketplaces',
  description: 'Newest first. Requires the master key.',
  idempotent: false,
  query: z.strictObject(pageQuery),
  body: noBody,
  success: { status: 200, data: marketplace, list: true },
  errors: [],
});

/** The sandbox takes periods from a second on; with real providers the service refuses those below an hour. */
const periodIn = durationIn('PT1S', 'P90D').nullable().optional();

export const updateMarketplace = route({
  ...ofMarketplaces,
  name: 'marketplaces.update',
  method: 'patch',
  path: '/marketplaces/{id}',
  params: z.strictObject({ id: id('mkt') }),
  summary: 'Change the settings of a marketplace',
  description:
    'Requires the master key. Only the given fields change; null clears a period. Periods are at least PT1H (PT1S with the sandbox). They are copied into a dispute when it opens: later changes do not affect it.',
  idempotent: true,
  query: noQuery,
  body: z.strictObject({
    name: marketplaceName.optional(),
    disputeResponsePeriod: periodIn,
    disputeDecisionPeriod: periodIn,
    onNoResponse: z.enum(noResponseRules).optional(),
  }),
  success: { status: 200, data: marketplace },
  errors: ['MARKETPLACE_NOT_FOUND'],
});

export const marketplaceRoutes = { createMarketplace, listMarketplaces, updateMarketplace };
