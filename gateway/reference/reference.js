// Renders the OpenAPI document of this very gateway. Texts are only ever set as text, never as markup.
import { describeBody, describeParameters, describeResponses, element, prose } from './describe.js';
import { tryIt } from './try-it.js';

const byId = (id) => document.getElementById(id);

const response = await fetch('/openapi.json');
const api = await response.json();
byId('version').textContent = api.info.version;
byId('state').textContent = '';

const operations = Object.entries(api.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);
const areas = api.tags.map((tag) =>
  showArea(
    tag,
    operations.filter(({ operation }) => operation.tags.includes(tag.name)),
  ),
);
byId('operations').prepend(
  ...api.info.description.split('\n\n').map((text) => element('p', { text: text.replaceAll('\n', ' ') })),
);
byId('find').addEventListener('input', ({ target }) => find(target.value));
if (location.hash !== '') byId(location.hash.slice(1))?.scrollIntoView();

function showArea(tag, own) {
  const titles = [element('h2', { text: tag.name }), element('h2', { text: tag.name }), element('p', { text: tag.description })];
  byId('areas').append(titles[0]);
  byId('operations').append(titles[1], titles[2]);
  const shown = own.map((one) => {
    const { method, path, operation } = one;
    const isAbsent = operation['x-available'] === false;
    const link = element('a', {
      text: operation.summary,
      href: `#${operation.operationId}`,
      className: isAbsent ? 'absent' : '',
      title: isAbsent ? 'Not available in this version' : '',
    });
    const section = showOperation(one);
    byId('areas').append(link);
    byId('operations').append(section);
    return { link, section, words: `${method} ${path} ${operation.operationId} ${operation.summary}`.toLowerCase() };
  });
  return { titles, shown };
}

function showOperation({ path, method, operation }) {
  const parameters = operation.parameters.map((parameter) => api.components.parameters[nameIn(parameter.$ref)] ?? parameter);
  const address = element('p', { className: 'address' }, [
    element('span', { className: `method method-${method}`, text: method.toUpperCase() }),
    element('span', { text: `${api.servers[0].url}${path}` }),
  ]);
  return element('section', { id: operation.operationId }, [
    element('h3', { text: operation.summary }),
    address,
    ...paragraphsOf(operation),
    element('p', { text: `Needs ${needed(operation)}.` }),
    ...describeParameters(parameters),
    ...describeBody(operation, api),
    ...describeResponses(operation, api),
    tryIt({ path, method, operation, parameters, base: api.servers[0].url, keyField: byId('key') }),
  ]);
}

function paragraphsOf({ description, 'x-available': isAvailable }) {
  if (description === undefined) return [];
  const paragraphs = description.split('\n\n').map((text) => prose('p', text));
  if (!isAvailable) paragraphs[0].className = 'absence';
  return paragraphs;
}

function needed({ security }) {
  if (security.length === 0) return 'no credential';
  const scopes = security.flatMap(({ credential = [] }) => credential);
  if (scopes.includes('master')) return 'the master key';
  return scopes.length === 0 ? 'any valid credential' : `the scope ${scopes.join(', ')}`;
}

function nameIn(reference = '') {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function find(text) {
  const wanted = text.trim().toLowerCase();
  for (const { titles, shown } of areas) {
    for (const { link, section, words } of shown) {
      link.hidden = !words.includes(wanted);
      section.hidden = link.hidden;
    }
    for (const title of titles) title.hidden = shown.every(({ link }) => link.hidden);
  }
}
