// Our own lint rules. Most forbid one piece of syntax: a selector, and a sentence that says what to do instead.
// Each is proved on a planted offender in e2e/src/architecture.

const forbidden = {
  'no-default-export': {
    selector: 'ExportDefaultDeclaration, ExportSpecifier[exported.name="default"]',
    instead: 'Export by name: a default export has another name in every file that imports it.',
  },
  'no-enum': {
    selector: 'TSEnumDeclaration',
    instead: 'Write a const tuple and derive the union from it.',
  },
  'no-class': {
    selector:
      ':matches(ClassDeclaration, ClassExpression):not([superClass.name=/Error$/]):not([implements.0.expression.name="MigrationInterface"]):not([superClass.name="Resources"])',
    instead: 'Write types and functions; only errors, migrations and the client of the SDK are classes.',
  },
  'no-process-env': {
    selector: 'MemberExpression[object.name="process"][property.name="env"], ImportSpecifier[imported.name="env"]',
    instead: 'Settings are read in config.ts, once; other code receives values.',
  },
  'no-ambient-time': {
    selector: [
      'MemberExpression[object.name="Date"][property.name="now"]',
      'NewExpression[callee.name="Date"][arguments.length=0]',
      'CallExpression[callee.name="Date"]',
    ].join(', '),
    instead: 'The time is an argument, or comes from a Clock that was passed in.',
  },
  'no-ambient-randomness': {
    selector: 'MemberExpression[object.name="Math"][property.name="random"]',
    instead: 'Use node:crypto, or take the source of randomness as an argument.',
  },
  'no-float-parsing': {
    selector: 'CallExpression[callee.name="parseFloat"], MemberExpression[object.name="Number"][property.name="parseFloat"]',
    instead: 'Amounts are parsed by parseMoney; counts are parsed by a zod schema.',
  },
  'no-type-assertion': {
    selector: 'TSAsExpression:not([typeAnnotation.typeName.name="const"]), TSTypeAssertion',
    instead: 'Parse or narrow the value; assertions belong in stores and parsing code.',
  },
};

/** A disable comment names its rules and, after two dashes, its reason. */
const explainDisable = {
  meta: { type: 'problem', schema: [], messages: { unexplained: 'Name the rule and say why: "{{example}}".' } },
  create(context) {
    const check = (comment) => {
      const match = /^\s*(eslint-disable(?:-next-line|-line)?)\b(.*)$/s.exec(comment.value);
      if (match === null) return;
      const [, directive, rest] = match;
      if (/^\s+\S.*\s-{2,}\s+\S/s.test(rest) && !/^\s+-{2,}/.test(rest)) return;
      // Column -1 lies before the comment, where a blanket disable does not reach.
      const loc = { start: { line: comment.loc.start.line, column: -1 }, end: comment.loc.end };
      context.report({ loc, messageId: 'unexplained', data: { example: `${directive} some-rule -- the reason` } });
    };
    return { Program: () => context.sourceCode.getAllComments().forEach(check) };
  },
};

/** max-lines-per-function for tests: a describe block only groups tests, so it does not count as a function. */
const maxLinesPerTest = {
  meta: {
    type: 'suggestion',
    schema: [{ type: 'integer', minimum: 1 }],
    messages: { tooLong: 'This function has {{lines}} lines; the limit is {{max}}.' },
  },
  create(context) {
    const max = context.options[0];
    const check = (node) => {
      if (isDescribe(node.parent)) return;
      const lines = node.loc.end.line - node.loc.start.line + 1;
      if (lines > max) context.report({ node, messageId: 'tooLong', data: { lines, max } });
    };
    return { FunctionDeclaration: check, FunctionExpression: check, ArrowFunctionExpression: check };
  },
};

export const houseRules = {
  ...Object.fromEntries(Object.entries(forbidden).map(([name, rule]) => [name, forbid(rule)])),
  'explain-disable': explainDisable,
  'max-lines-per-test': maxLinesPerTest,
};

function forbid({ selector, instead }) {
  return {
    meta: { type: 'problem', schema: [], messages: { instead } },
    create: (context) => ({ [selector]: (node) => context.report({ node, messageId: 'instead' }) }),
  };
}

/** Covers `describe(…)`, `describe.each(…)(…)` and an own wrapper that is named like one. */
function isDescribe(node) {
  if (node?.type !== 'CallExpression') return false;
  let { callee } = node;
  while (callee.type === 'CallExpression' || callee.type === 'MemberExpression') callee = callee.callee ?? callee.object;
  return callee.type === 'Identifier' && callee.name.startsWith('describe');
}
