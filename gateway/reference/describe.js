// What an operation takes and answers, as elements.

/** Makes an element; `text` is text, whatever it looks like. */
export function element(name, { text, ...properties } = {}, children = []) {
  const made = Object.assign(document.createElement(name), properties);
  if (text !== undefined) made.textContent = text;
  made.append(...children);
  return made;
}

/** Text in which `names` stand between backticks, as the contracts write them. */
export function prose(name, text, properties = {}) {
  const parts = text.split('`').map((part, index) => (index % 2 === 1 ? element('code', { text: part }) : part));
  return element(name, properties, parts);
}

export function describeParameters(parameters) {
  if (parameters.length === 0) return [];
  const rows = parameters.map(({ name, in: place, required, description, schema }) => [
    name,
    place,
    `${typeOf(schema)}${required ? ', required' : ''}`,
    [description, ...rulesOf(schema)].filter(Boolean).join('. '),
  ]);
  return [element('h4', { text: 'Parameters' }), table(['Name', 'In', 'Type', 'Meaning'], rows)];
}

export function describeBody({ requestBody }, api) {
  const media = requestBody?.content['application/json'];
  if (media === undefined) return [];
  return [element('h4', { text: 'Body' }), fields(media.schema, api), example(Object.values(media.examples)[0]?.value)];
}

export function describeResponses({ responses }, api) {
  const all = Object.entries(responses).map(([status, response]) => {
    const [contentType, media = { examples: {} }] = Object.entries(response.content ?? {})[0] ?? [];
    const examples = () =>
      Object.entries(media.examples).map(([name, given]) => {
        const { value, summary } = given.$ref === undefined ? given : api.components.examples[nameOf(given.$ref)];
        return element('div', {}, [element('p', { text: summary === undefined ? name : `${name}: ${summary}` }), example(value)]);
      });
    const isFault = status.startsWith('4') || status.startsWith('5');
    const title = isFault ? `${status} ${Object.keys(media.examples).join(', ')}` : `${status} ${response.description}`;
    const kind = contentType === undefined || contentType === 'application/json' ? '' : `, ${contentType}`;
    const described = () => (contentType === undefined ? [] : [fields(media.schema.properties?.data ?? media.schema, api)]);
    return unfolding(`${title}${kind}`, !isFault, () => (isFault ? examples() : [...described(), ...examples()]));
  });
  return [element('h4', { text: 'Answers' }), ...all];
}

/** Made when it is opened for the first time: most of what can be told of all operations is never looked at. */
function unfolding(title, isOpen, contents) {
  const details = element('details', { open: isOpen }, [element('summary', { text: title })]);
  details.addEventListener('toggle', () => details.append(...contents()), { once: true });
  return details;
}

const depthMax = 4;

/** The fields of an object, those of the objects in it with a dot between. */
function fields(schema, api) {
  const rows = rowsOf(schema, api, '', 0);
  return rows.length === 0 ? element('p', { text: typeOf(resolved(schema, api)) }) : table(['Field', 'Type', 'Meaning'], rows);
}

function rowsOf(schema, api, prefix, depth) {
  const { properties = {}, required = [] } = resolved(schema, api);
  if (depth > depthMax) return [];
  return Object.entries(properties).flatMap(([name, given]) => {
    const inner = resolved(given, api);
    const within = inner.type === 'array' ? resolved(inner.items ?? {}, api) : inner;
    const meaning = [inner.description, ...rulesOf(inner)].filter(Boolean).join('. ');
    const own = [`${prefix}${name}`, `${typeOf(inner)}${required.includes(name) ? ', required' : ''}`, meaning];
    return [own, ...rowsOf(within, api, `${prefix}${name}${inner.type === 'array' ? '[]' : ''}.`, depth + 1)];
  });
}

function resolved(schema, api) {
  if (schema.$ref !== undefined) return api.components.schemas[nameOf(schema.$ref)] ?? {};
  const [first] = schema.anyOf ?? [];
  return first !== undefined && schema.anyOf.length === 2 && schema.anyOf[1].type === 'null'
    ? { ...resolved(first, api), ...schema, isNullable: true }
    : schema;
}

function nameOf(reference) {
  return reference.slice(reference.lastIndexOf('/') + 1);
}

function typeOf({ type, format, anyOf, isNullable }) {
  const name = [type ?? []].flat().join(' or ') || (anyOf === undefined ? 'any' : anyOf.map(({ type: one }) => one).join(' or '));
  return `${name}${format === undefined ? '' : ` (${format})`}${isNullable ? ' or null' : ''}`;
}

function rulesOf({ enum: values, const: only, minimum, maximum, minLength, maxLength, default: usual }) {
  return [
    values && `One of ${values.join(', ')}`,
    only !== undefined && `Always ${only}`,
    minimum !== undefined && `At least ${minimum}`,
    maximum !== undefined && maximum < Number.MAX_SAFE_INTEGER && `At most ${maximum}`,
    minLength && (minLength === 1 ? 'Not empty' : `At least ${minLength} characters`),
    maxLength && `At most ${maxLength} characters`,
    usual !== undefined && `Default ${JSON.stringify(usual)}`,
  ].filter(Boolean);
}

function table(titles, rows) {
  const row = (kind, cells) =>
    element(
      'tr',
      {},
      cells.map((text) => prose(kind, text)),
    );
  return element('table', {}, [row('th', titles), ...rows.map((cells) => row('td', cells))]);
}

function example(value) {
  return element('pre', { text: typeof value === 'string' ? value : JSON.stringify(value ?? '', null, 2) });
}
