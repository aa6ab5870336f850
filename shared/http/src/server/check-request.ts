import { AppError } from '@holdfast/kernel/errors';
import { headersMax } from './connection-limits.js';
import type { Middleware } from './express-app.js';

/** A path of visible ASCII without a fragment. Anything else, such as an absolute URL, is 404. */
const targetForm = /^\/[!"$-~]*$/;

/**
 * Refuses requests that match no route before anything else reads them: too many headers (431), and a target that is not a plain
 * path (404).
 */
export const checkRequest: Middleware = (request, _response, next) => {
  if (request.rawHeaders.length > 2 * headersMax) throw new AppError('HEADERS_TOO_LARGE');
  if (!targetForm.test(request.url)) throw new AppError('NOT_FOUND');
  if (request.url.includes('%')) request.url = withLiteralEscapes(request.url);
  next();
};

/**
 * Escapes the percent signs of a segment with an invalid percent escape. Such a segment is not a valid id, so the route responds with
 * its own 404, where Express would respond with 400. `req.originalUrl` is unchanged.
 */
function withLiteralEscapes(url: string): string {
  const mark = url.indexOf('?');
  const path = mark === -1 ? url : url.slice(0, mark);
  const query = mark === -1 ? '' : url.slice(mark);
  return path.split('/').map(literalUnlessDecodable).join('/') + query;
}

function literalUnlessDecodable(segment: string): string {
  try {
    decodeURIComponent(segment);
    return segment;
  } catch {
    return segment.replaceAll('%', '%25');
  }
}
