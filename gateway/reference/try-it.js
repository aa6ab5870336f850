// A form that sends a real request to this gateway. The key stays in its field: it is stored nowhere.
import { element } from './describe.js';

export function tryIt({ path, method, operation, parameters, base, keyField }) {
  const inputs = parameters.map((parameter) => ({
    parameter,
    input: element('input', { placeholder: placeholderOf(parameter) }),
  }));
  const media = operation.requestBody?.content['application/json'];
  const body = media && element('textarea', { rows: 8, value: JSON.stringify(Object.values(media.examples)[0]?.value, null, 2) });
  const command = element('pre');
  const answer = element('pre', { hidden: true });
  const request = () => requestOf({ path, method, base, inputs, body, key: keyField.value.trim() });
  const show = () => (command.textContent = curlOf(request()));
  const form = element('form', {}, [
    ...inputs.map(({ parameter, input }) => element('label', { text: `${parameter.name} (${parameter.in}) ` }, [input])),
    ...(body ? [element('label', { text: 'Body' }, [body])] : []),
    element('button', { text: 'Send' }),
    command,
    answer,
  ]);
  form.addEventListener('input', show);
  keyField.addEventListener('input', show);
  let running = new AbortController();
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    running.abort();
    running = new AbortController();
    send(request(), answer, running.signal);
  });
  show();
  return element('details', {}, [element('summary', { text: 'Try it' }), form]);
}

function placeholderOf({ required, schema }) {
  const [example] = schema.examples ?? [];
  return example === undefined ? (required ? 'needed' : '') : String(example);
}

function requestOf({ path, method, base, inputs, body, key }) {
  const given = (place) => inputs.filter(({ parameter, input }) => parameter.in === place && input.value !== '');
  const filled = given('path').reduce(
    (text, { parameter, input }) => text.replace(`{${parameter.name}}`, encodeURIComponent(input.value)),
    path,
  );
  const query = new URLSearchParams(given('query').flatMap(namedValues)).toString();
  const headers = Object.fromEntries(given('header').map(({ parameter, input }) => [parameter.name, input.value]));
  if (key !== '') headers.Authorization = `Bearer ${key}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const url = `${base}${filled}${query === '' ? '' : `?${query}`}`;
  return { url, method: method.toUpperCase(), headers, body: body?.value };
}

/** A list is repeated, once for each of its values; they are typed with commas between. */
function namedValues({ parameter: { name, schema }, input: { value } }) {
  const values = schema.type === 'array' ? value.split(',').map((one) => one.trim()) : [value];
  return values.map((one) => [name, one]);
}

/** The key is not written out: commands are copied into chats and tickets. */
function curlOf({ url, method, headers, body }) {
  const shown = { ...headers, ...(headers.Authorization === undefined ? {} : { Authorization: 'Bearer $HOLDFAST_KEY' }) };
  const lines = Object.entries(shown).map(([name, value]) => `-H "${name}: ${value}"`);
  const data = body === undefined ? [] : [`-d '${body.replaceAll("'", "'\\''")}'`];
  return [`curl -X ${method} "${location.origin}${url}"`, ...lines, ...data].join(' \\\n  ');
}

/** Of all headers the ones that differ from answer to answer. */
const toldHeaders = /^(content-type|location|allow|retry-after|deprecation|x-request-id|x-ratelimit-.*|.*idempotency.*)$/;

async function send({ url, method, headers, body }, answer, signal) {
  answer.hidden = false;
  answer.textContent = 'Sending…';
  try {
    const response = await fetch(url, { method, headers, body, credentials: 'omit', signal });
    const told = [...response.headers].filter(([name]) => toldHeaders.test(name)).map(([name, value]) => `${name}: ${value}`);
    const head = [`${response.status} ${response.statusText}`, ...told].join('\n');
    if (isStream(response)) await follow(response, answer, head);
    else answer.textContent = `${head}\n\n${readable(await response.text())}`;
  } catch (error) {
    if (!signal.aborted) answer.textContent = `The request did not get through: ${error.message}`;
  }
}

function isStream(response) {
  return response.headers.get('content-type')?.startsWith('text/event-stream') === true;
}

const shownLengthMax = 100_000;

/** Shows a stream as it comes, until the next request ends it; of a long one the newest. */
async function follow(response, answer, head) {
  let text = '';
  answer.textContent = `${head}\n\n`;
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    text = `${text}${piece.value}`.slice(-shownLengthMax);
    answer.textContent = `${head}\n\n${text}`;
    answer.scrollTop = answer.scrollHeight;
  }
}

function readable(text) {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}
