import { z } from 'zod';
import { freeText, id, noBody, noParams, noQuery, textMax } from '../shapes/index.js';
import {
  accountCurrency,
  accountEscrow,
  numberIn,
  ofAccounts,
  pagesQuery,
  pagination,
  project,
  projectStatus,
  releasedEscrow,
} from './account-shapes.js';
import { route } from './route.js';

const ofProjects = { ...ofAccounts, service: 'orders', auth: 'account' } as const;
const onProjects = { ...ofProjects, path: '/projects', params: noParams } as const;

export const listProjects = route({
  ...onProjects,
  name: 'projects.list',
  method: 'get',
  summary: 'List my projects',
  description: 'Newest first.',
  query: z.strictObject({ ...pagesQuery, status: projectStatus.optional() }),
  body: noBody,
  success: {
    status: 200,
    data: z.object({ projects: z.array(project), pagination }).meta({ id: 'Projects' }),
    message: 'Projects',
  },
  errors: [],
});

export const createProject = route({
  ...onProjects,
  name: 'projects.create',
  method: 'post',
  summary: 'Create a project',
  retry: 'Nothing protects a retry: look for the project in the list first.',
  query: noQuery,
  body: z.strictObject({
    title: freeText(textMax.title).min(1).meta({ description: 'Title', example: 'A new website' }),
    description: freeText(textMax.description)
      .default('')
      .meta({ description: 'Description', example: 'Five pages, delivered in June' }),
    budget: numberIn,
    currency: accountCurrency.default('USD'),
  }),
  success: { status: 200, data: project, message: 'Project created' },
  errors: [],
});

export const updateProject = route({
  ...ofProjects,
  name: 'projects.update',
  method: 'patch',
  path: '/projects/{id}',
  malformedParams: 'PROJECT_NOT_FOUND',
  params: z.strictObject({ id: id('prj') }),
  summary: 'Cancel a project',
  description: 'Only an open project can be canceled.',
  retry: 'The state protects a retry: a canceled project stays canceled.',
  query: noQuery,
  body: z.strictObject({ status: z.literal('canceled').meta({ description: 'The new status', example: 'canceled' }) }),
  success: { status: 200, data: project, message: 'Project canceled' },
  errors: ['PROJECT_NOT_FOUND', 'INVALID_STATE'],
});

const sellerId = id('usr', 'POST /auth/register').meta({
  description: 'User who is paid',
  example: 'usr_01JB2M3N4P5Q6R7S8T9V0W1X2Z',
});

export const initEscrow = route({
  ...ofProjects,
  name: 'projects.initEscrow',
  method: 'post',
  path: '/escrow/init',
  params: noParams,
  summary: 'Pay into escrow',
  description:
    'Reserves the amount, deploys the contract and funds it. Either everything happened, or nothing did and the money is available again. After a time-out the operation continues by itself; send the same request again to get its result.',
  retry: 'The project protects a retry: the same request by the same person returns the result of the first one.',
  query: noQuery,
  body: z.strictObject({ projectId: id('prj'), sellerId, amount: numberIn, currency: accountCurrency }),
  success: { status: 200, data: accountEscrow, message: 'Escrow funded' },
  refusals: { projectId: 'PROJECT_NOT_FOUND', sellerId: 'USER_NOT_FOUND' },
  waitsFor: 'sagas',
  errors: [
    'PROJECT_NOT_FOUND',
    'INSUFFICIENT_FUNDS',
    'INVALID_STATE',
    'LIMIT_EXCEEDED',
    'USER_NOT_ACTIVE',
    'USER_NOT_FOUND',
    'PLATFORM_STOPPED',
    'PROVIDER_TIMEOUT',
  ],
  errorMessages: { INSUFFICIENT_FUNDS: 'Insufficient balance to fund escrow' },
});

export const releaseEscrow = route({
  ...ofProjects,
  name: 'projects.releaseEscrow',
  method: 'post',
  path: '/escrow/release',
  params: noParams,
  summary: 'Release an escrow',
  description: 'Pays the seller. Only the buyer may release; every other caller gets 401.',
  retry: 'The state protects a retry: a released escrow is not releasable.',
  query: noQuery,
  body: z.strictObject({ escrowId: id('esc') }),
  success: { status: 200, data: releasedEscrow, message: 'Escrow released' },
  refusals: { escrowId: 'ESCROW_NOT_FOUND' },
  waitsFor: 'saga',
  errors: ['ESCROW_NOT_FOUND', 'INVALID_STATE', 'PLATFORM_STOPPED', 'PROVIDER_TIMEOUT'],
  errorMessages: { INVALID_STATE: 'Escrow not releasable' },
});

/** In the order in which their examples succeed one after the other, apart from the cancellation. */
export const projectRoutes = { listProjects, createProject, initEscrow, releaseEscrow, updateProject };
