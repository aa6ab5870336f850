import type { MessageDeclaration } from '@holdfast/contracts/messages';
import { awaitedBy, type Saga, type SagaSequence, type SagaStep } from '@holdfast/contracts/sagas';
import { code, codeBlock, generatedNotice, page, table } from './markdown.js';

/** One diagram and one table per saga, from the tables to which the services bind their handlers. */
export function sagasPage(sagas: readonly Saga[], sequences: readonly SagaSequence[]): string {
  return page(
    generatedNotice,
    '# Sagas',
    'Choreographed sagas: each step handles a message and publishes the next one, in one commit with its effect. Dashed arrows are the messages that a step publishes when it fails. A step that lists several messages waits for all of them.',
    ...sagas.map(section),
    ...sequences.map(sequenceSection),
  );
}

const headings = ['Step', 'By', 'On', 'Does', 'Publishes', 'Or else', 'Provider calls', ''];

function section({ name, summary, steps }: Saga): string {
  const all = Object.values(steps);
  return [
    `## ${name}`,
    summary,
    codeBlock('mermaid', ['sequenceDiagram', ...participants(all), ...all.flatMap((step) => drawn(step, all))].join('\n')),
    table(
      headings,
      Object.entries(steps).map(([stepName, step]) => row(stepName, step)),
    ),
  ].join('\n\n');
}

function sequenceSection({ name, summary, sagas, compensatedBy }: SagaSequence): string {
  const arrows = sagas.flatMap((saga, nth) => [
    `  ${saga} -->|succeeded| ${sagas[nth + 1] ?? 'done([succeeded])'}`,
    `  ${saga} -->|failed| ${compensatedBy}`,
  ]);
  return [
    `## ${name}`,
    `${summary} A sequence of sagas: each starts in the commit that ends the one before, and a failure is followed by ${linkTo(compensatedBy)}.`,
    codeBlock('mermaid', ['flowchart LR', ...arrows, `  ${compensatedBy} --> failed([failed])`].join('\n')),
    `Its sagas: ${[...sagas, compensatedBy].map(linkTo).join(', ')}.`,
  ].join('\n\n');
}

function linkTo(saga: string): string {
  return `[${saga}](#${saga})`;
}

function participants(steps: readonly SagaStep[]): readonly string[] {
  return [...new Set(steps.map(({ by }) => by))].map((name) => `  participant ${name}`);
}

/** A diagram note with what the step does, then an arrow to each service of the saga that handles what it publishes. */
function drawn({ by, does, ends, publishes, orElse = [] }: SagaStep, steps: readonly SagaStep[]): readonly string[] {
  const arrows = (messages: readonly MessageDeclaration[], arrow: string): readonly string[] =>
    messages.flatMap(({ type }) => handlersOf(type, steps).map((handledBy) => `  ${by}${arrow}${handledBy}: ${type}`));
  const end = ends === undefined ? '' : ` (${ends})`;
  // Mermaid ends a statement at a semicolon.
  return [`  Note over ${by}: ${does.replaceAll(';', ',')}${end}`, ...arrows(publishes, '->>'), ...arrows(orElse, '-->>')];
}

/** Each service once, also where two of its steps wait for the message. */
function handlersOf(type: string, steps: readonly SagaStep[]): readonly string[] {
  const waiting = steps.filter((step) => awaitedBy(step).some((awaited) => awaited.type === type));
  return [...new Set(waiting.map(({ by }) => by))];
}

function row(stepName: string, step: SagaStep): readonly string[] {
  const { by, does, publishes, orElse = [], calls = [] } = step;
  return [stepName, by, triggerOf(step), does, types(publishes), types(orElse), calls.join(', '), remarks(step)];
}

function triggerOf(step: SagaStep): string {
  if (step.afterDeadlineOf !== undefined) return `the deadline of ${step.afterDeadlineOf}`;
  const awaited = awaitedBy(step);
  return awaited.length === 0 ? 'what comes from outside' : awaited.map(({ type }) => code(type)).join(' and ');
}

function types(messages: readonly MessageDeclaration[]): string {
  return messages.map(({ type }) => code(type)).join(', ');
}

function remarks({ compensates, pointOfNoReturn, deadline, noDeadline, aborts, ends }: SagaStep): string {
  return [
    ...(pointOfNoReturn === true ? ['point of no return'] : []),
    ...(deadline === undefined ? [] : [`deadline ${code(deadline)}`]),
    ...(noDeadline === undefined ? [] : [`no deadline: ${noDeadline}`]),
    ...(aborts === undefined ? [] : [`aborts ${aborts}`]),
    ...(compensates === undefined ? [] : [`compensates ${compensates}`]),
    ...(ends === undefined ? [] : [ends]),
  ].join(', ');
}
