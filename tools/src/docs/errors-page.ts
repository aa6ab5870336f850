import { errorsOf, statusOf, type RouteDeclaration } from '@holdfast/contracts/http';
import { errorExample } from '@holdfast/contracts/openapi';
import { errorCatalogue, errorCodes, type ErrorCode } from '@holdfast/kernel/errors';
import { code, generatedNotice, json, page, table } from './markdown.js';

/** Sent before a route is matched. */
const ofNoRoute: readonly ErrorCode[] = ['NOT_FOUND', 'METHOD_NOT_ALLOWED'];

/** The error catalogue, and which routes return which code. */
export function errorsPage(routes: readonly RouteDeclaration[]): string {
  const rows = errorCodes.map((one) => [code(one), statusText(one), errorCatalogue[one].message, routesText(one, routes)]);
  return page(
    generatedNotice,
    '# Errors',
    'Branch on the code: the status can differ between routes, and the message is for people. Every error looks like this:',
    json(errorExample('VALIDATION_ERROR')),
    table(['Code', 'HTTP', 'Message', 'Routes'], rows),
  );
}

function statusText(one: ErrorCode): string {
  const statuses = new Set([statusOf(one, 'plain'), statusOf(one, 'order')]);
  return [...statuses].sort((a, b) => a - b).join(' or ');
}

function routesText(one: ErrorCode, routes: readonly RouteDeclaration[]): string {
  if (ofNoRoute.includes(one)) return 'addresses without a route';
  const matching = routes.filter((route) => errorsOf(route).includes(one));
  if (matching.length === 0) return 'none yet';
  if (matching.length === routes.length) return 'all';
  return matching.map(({ name }) => code(name)).join(', ');
}
